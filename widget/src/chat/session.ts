import type { SessionBody, VisitorPage, VisitorSession } from 'server/contract';
import type { Place } from '../frame.ts';
import type { Reply } from '../http.ts';
import { call } from './kit.ts';
import { exclusively } from './lock.ts';
import type { Storage } from './storage.ts';

/** The page that carries the widget. */
export function pageNow(): VisitorPage {
  return { url: location.href, title: document.title };
}

/** Opens a visitor's session, or resumes the one that this browser holds. Tabs that open at once get the same one. */
export function openSession({ api, code }: Place, storage: Storage): Promise<Reply<VisitorSession>> {
  return exclusively(`parley:${code}:session`, async () => {
    const token = storage.read('token');
    const body: SessionBody = {
      ...(token && { visitorToken: token }),
      page: pageNow(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: navigator.language,
    };
    const reply = await call<VisitorSession>(`${api}/session`, body);
    if (reply.ok) storage.write('token', reply.visitorToken);
    return reply;
  });
}
