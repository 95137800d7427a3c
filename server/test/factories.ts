import { randomUUID } from 'node:crypto';
import type { Chat, Site, User, VisitorSession } from '../contract.ts';
import { UserModel, userCache } from '../src/features/auth/model.ts';
import { SiteModel } from '../src/features/sites/model.ts';
import type { SiteRole } from '../src/features/team/contract.ts';
import { MailModel } from '../src/platform/mail/model.ts';
import type { Api } from './harness.ts';
import { PATIENCE_MS } from './sockets.ts';

/** A signed-up person with a token. */
export interface Account {
  user: User;
  token: string;
  password: string;
}

export const PASSWORD = 'quiet-otter-paddles';
/** What an ordinary browser says it is: without one, a visitor counts as a machine. */
export const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let people = 0;

/** Signs somebody new up, with a proved address. @param headers of the request, such as an address of its own */
export async function signUp(api: Api, name = 'Ana Ruiz', headers: Record<string, string> = {}): Promise<Account> {
  const form = { name, email: `person${++people}@example.com`, password: PASSWORD, confirmPassword: PASSWORD };
  const { body } = await api('POST /auth/register', { body: form, headers });
  if (body.data?.user.unprovedEmail) {
    const { unprovedEmail, ...user } = body.data.user;
    await UserModel.updateOne({ _id: user._id }, { $unset: { unprovedEmail: 1 } });
    userCache.forget(user._id);
    // A test that has the mail server refuse mails must not meet the link.
    await until(async () => (await MailModel.countDocuments({ about: user._id })) === 0);
    return { ...body.data, user, password: PASSWORD };
  }
  return { ...body.data, password: PASSWORD };
}

/** Registers a site, whose chats wait until a test claims them. */
export async function createSite(api: Api, token: string, name = 'Corner Shop'): Promise<Site> {
  const settings = { autoAssign: false };
  const { body } = await api('POST /sites', { token, body: { name, domain: 'shop.example.com', settings } });
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.site;
}

/** Puts somebody on a site's team. */
export async function join(site: Site, { user }: Account, role: SiteRole): Promise<void> {
  await SiteModel.updateOne({ _id: site._id }, { $push: { team: { user: user._id, role } } });
}

/** Opens a visitor's session on a site. */
export async function visit(api: Api, site: Site, body: object = {}): Promise<VisitorSession> {
  const answer = await api(`POST /widget/${site.widgetCode}/session`, { body, headers: BROWSER });
  return answer.body.data;
}

/** Sends a visitor's message over HTTP; gives the chat's id. */
export async function say(api: Api, site: Site, session: VisitorSession, content: string): Promise<string> {
  const { body } = await api(`POST /widget/${site.widgetCode}/messages`, {
    token: session.visitorToken,
    body: { clientId: randomUUID(), content },
  });
  return body.data.chat._id;
}

/** A new visitor who writes; gives the chat as the list shows it once its summary stands. */
export async function newChat(api: Api, site: Site, token: string, content = 'Hello'): Promise<Chat> {
  const id = await say(api, site, await visit(api, site, { visitor: { name: 'Vera' } }), content);
  return until(async () => {
    const { body } = await api(`GET /chats/${id}`, { token });
    return body.data.chat.lastSeq > 0 && body.data.chat;
  });
}

/** The first waits are short; on a busy machine, looking often would only make it busier. */
const LOOK_AFTER_MS = 5;
const LOOK_AFTER_MAX_MS = 100;
const LONGER_EACH_TIME = 1.3;

/** Waits until `look` gives something, and gives that; a test that waits in vain fails. */
export async function until<Found>(look: () => Promise<Found | false | null | undefined>): Promise<Found> {
  const end = Date.now() + PATIENCE_MS;
  for (let wait = LOOK_AFTER_MS; ; wait = Math.min(wait * LONGER_EACH_TIME, LOOK_AFTER_MAX_MS)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
