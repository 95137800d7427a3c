import { PAGE_URL_MAX_LENGTH, type SessionBody, type VisitorPage, type VisitorSession } from 'server/contract';
import type { Introduction, Storage } from '../chat/storage.ts';
import type { Place } from '../frame.ts';
import { call, type Reply } from '../http.ts';
import { exclusively } from './lock.ts';

const TITLE_MAX_LENGTH = 300;

/** The page that carries the widget; nothing where it has no web address, as in a frame that another page wrote. */
export function pageNow(): VisitorPage | undefined {
  const url = location.href.slice(0, PAGE_URL_MAX_LENGTH);
  return /^http/.test(url) ? { url, title: document.title.slice(0, TITLE_MAX_LENGTH) } : undefined;
}

/** Who is asking, beyond what this browser holds. */
export type Caller = Pick<SessionBody, 'page'> & { visitor?: Introduction };

/** Opens a visitor's session, or resumes the one that this browser holds. Tabs that open at once get the same one. */
export function openSession({ api, code }: Place, storage: Storage, caller: Caller): Promise<Reply<VisitorSession>> {
  return exclusively(`parley:${code}:session`, async () => {
    const token = storage.read('token');
    const body: SessionBody = {
      ...(token && { visitorToken: token }),
      ...caller,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: navigator.language,
    };
    const reply = await call<VisitorSession>(`${api}/session`, body);
    if (reply.ok) {
      storage.write('token', reply.visitorToken);
      if (reply.visitor.email) storage.write('met', 'mail');
    }
    return reply;
  });
}
