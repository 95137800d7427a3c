import { PAGE_URL_MAX_LENGTH, type SessionBody, type VisitorPage, type VisitorSession } from 'server/contract';
import type { SessionUpdate } from '../chat/context.ts';
import type { State } from '../chat/state.ts';
import type { Storage } from '../chat/storage.ts';
import type { Endpoint } from '../host.ts';
import { call, type Reply } from '../http.ts';
import { createLock } from './lock.ts';

const TITLE_MAX_LENGTH = 300;

/** The page that has the widget; undefined if it has no web address, as an iframe with `srcdoc`. */
export function currentPage(
  { ownTitle = document.title }: State,
  address = location.href,
  title = ownTitle,
): VisitorPage | undefined {
  const url = address.slice(0, PAGE_URL_MAX_LENGTH);
  return /^http/.test(url) ? { url, title: title.slice(0, TITLE_MAX_LENGTH) } : undefined;
}

/** Opens a visitor's session, or resumes the one of this browser. Under a lock, so that tabs opened together get the same visitor. */
export function openSession(
  { api, code }: Endpoint,
  storage: Storage,
  update: SessionUpdate & Pick<SessionBody, 'speaks'>,
): Promise<Reply<VisitorSession>> {
  return createLock(`parley:${code}:session`)(async () => {
    const token = storage.read('token');
    const body: SessionBody = {
      ...(token && { visitorToken: token }),
      ...update,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: navigator.language,
    };
    const reply = await call<VisitorSession>(`${api}/session`, body);
    // If the visitor logged out meanwhile, in any tab, the answer is dropped.
    if (reply.ok && storage.read('token') === token) {
      // Another visitor: whether the last one gave an address does not matter.
      if (token && token !== reply.visitorToken) storage.write('met', '');
      storage.write('token', reply.visitorToken);
      const { email, known } = reply.visitor;
      const { preChatFields, consent } = reply.config;
      // Where the site has fields of its own, a form asks for those that are not known.
      if (known ? known.length === preChatFields?.length && !consent : email)
        storage.write('met', email ? 'mail' : 'asked');
    }
    return reply;
  });
}
