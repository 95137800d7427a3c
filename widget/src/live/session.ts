import { PAGE_URL_MAX_LENGTH, type SessionBody, type VisitorPage, type VisitorSession } from 'server/contract';
import type { SessionUpdate } from '../chat/context.ts';
import type { Storage } from '../chat/storage.ts';
import type { Endpoint } from '../host.ts';
import { call, type Reply } from '../http.ts';
import { createLock } from './lock.ts';

const TITLE_MAX_LENGTH = 300;

/** The page that carries the widget; nothing where it has no web address, as in a frame that another page wrote. */
export function currentPage(address = location.href, title = document.title): VisitorPage | undefined {
  const url = address.slice(0, PAGE_URL_MAX_LENGTH);
  return /^http/.test(url) ? { url, title: title.slice(0, TITLE_MAX_LENGTH) } : undefined;
}

/** Opens a visitor's session, or resumes the one that this browser holds. Tabs that open at once get the same one. */
export function openSession(
  { api, code }: Endpoint,
  storage: Storage,
  update: SessionUpdate,
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
    // Whoever logged out meanwhile, in whatever tab, is not brought back.
    if (reply.ok && storage.read('token') === token) {
      // Another person now: what is known of the last one says nothing of this one.
      if (token && token !== reply.visitorToken) storage.write('met', '');
      storage.write('token', reply.visitorToken);
      if (reply.visitor.email) storage.write('met', 'mail');
    }
    return reply;
  });
}
