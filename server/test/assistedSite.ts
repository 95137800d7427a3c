import { randomUUID } from 'node:crypto';
import type { Chat, Message, Site, VisitorSession } from '../contract.ts';
import { type Account, createSite, signUp, until, visit } from './factories.ts';
import type { Api } from './harness.ts';
import { openHelpCenter, publish } from './helpCenter.ts';

/** The sentence with which the stand-in of a model answers `ASKED`. */
export const ANSWERED = 'You can return items within 30 days of delivery.';
export const ASKED = 'How many days do I have to return items after delivery?';
const PERIOD = `${ANSWERED} Put the items into the original box. We refund the price to your card within 5 working days.`;

/** A site whose assistant answers visitors, and what its people do there. */
export interface AssistedSite {
  site: Site;
  owner: Account;
  /** The id of its article. */
  article: string;
  as(call: string, body?: object): ReturnType<Api>;
  /** A visitor with a question; gives the chat's id. */
  ask(session: VisitorSession, content?: string): Promise<string>;
  visit(): Promise<VisitorSession>;
  chat(id: string): Promise<Chat>;
  thread(id: string): Promise<Message[]>;
  /** Waits until the chat has this many messages, and gives them. */
  said(id: string, count: number): Promise<Message[]>;
}

/** Opens a site with an article and an assistant, on the server of these calls. */
export async function assistedSite(api: Api): Promise<AssistedSite> {
  const owner = await signUp(api, 'Olga');
  const site = await createSite(api, owner.token);
  await openHelpCenter(site);
  const article = await publish(site, { en: { title: 'Returns and refunds', text: PERIOD } });
  return { ...peopleOf(api, site, owner), article };
}

/** What people do on a site, by the calls of any node of its server. */
export function peopleOf(api: Api, site: Site, owner: Account): Omit<AssistedSite, 'article'> {
  const as = (call: string, body?: object) => api(call, { token: owner.token, body });
  const thread = async (id: string): Promise<Message[]> => (await as(`GET /chats/${id}/messages`)).body.data.messages;
  return {
    site,
    owner,
    as,
    thread,
    visit: () => visit(api, site, { visitor: { name: 'Vera' } }),
    async ask({ visitorToken }, content = ASKED) {
      const body = { clientId: randomUUID(), content };
      const sent = await api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body });
      return sent.body.data.chat._id;
    },
    chat: async (id) => (await as(`GET /chats/${id}`)).body.data.chat,
    said: (id, count) =>
      until(async () => {
        const messages = await thread(id);
        return messages.length >= count && messages;
      }),
  };
}
