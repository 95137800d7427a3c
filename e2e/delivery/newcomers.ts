import { randomUUID } from 'node:crypto';
import type { Site } from 'server/contract';
import type { CallApi } from '../harness/api.ts';

/** A shop in which chats begin. */
interface Shop {
  api: CallApi;
  site: Site;
  /** The token of a member who answers. */
  token: string;
}

/** A word that nobody else says. */
const word = () => `word${randomUUID().slice(0, 8)}`;

/**
 * Has visitors come one after the other, until one is refused or not answered: with a name or without, or with one that
 * is given later. Each second one is answered, and some chats are handed back, closed or deleted.
 * @param first which visitor is the first
 * @param isOver whether no further one is to come
 * @returns how many came
 */
export async function welcomeNewcomers(shop: Shop, first: number, isOver = () => false): Promise<number> {
  let at = first;
  for (; !isOver(); at++) {
    try {
      await welcome(shop, at);
    } catch {
      return at - first + 1;
    }
  }
  return at - first;
}

async function welcome({ api, site, token: agent }: Shop, at: number): Promise<void> {
  const params = { widgetCode: site.widgetCode };
  const visitor = { name: `Visitor ${at}`, email: `visitor${at}@example.com` };
  const { visitorToken: token } = await api('POST /widget/:widgetCode/session', {
    params,
    body: at % 3 === 0 ? {} : { visitor },
  });
  const say = () =>
    api('POST /widget/:widgetCode/messages', {
      token,
      params,
      body: { clientId: randomUUID(), content: `Hello ${word()}` },
    });
  const { chat } = await say();
  if (at % 3 === 0) await api('POST /widget/:widgetCode/session', { params, body: { visitorToken: token, visitor } });
  const its = { token: agent, params: { id: chat._id } };
  if (at % 2 === 0) await api('POST /chats/:id/messages', { ...its, body: { content: `Welcome ${word()}` } });
  if (at % 5 === 0) await say();
  if (at % 4 === 1) {
    await api('POST /chats/:id/claim', its);
    await api('POST /chats/:id/transfer', { ...its, body: { userId: null } });
  }
  if (at % 7 === 0) await api('POST /chats/:id/close', its);
  if (at % 11 === 0) await api('DELETE /chats/:id', its);
}
