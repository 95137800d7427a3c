import type { Sessions } from '../auth/sessions.ts';
import type { ChatDoc } from '../chats/model.ts';
import type { Mail } from '../mail/mail.ts';
import type { Presence } from '../presence/presence.ts';
import type { Push } from '../push/send.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ResumeLinks } from '../visitors/resume.ts';
import type { NoticeDoc } from './model.ts';

/** What a notice is about, as it is now. */
export interface Matter {
  notice: NoticeDoc;
  chat: ChatDoc;
  site: SiteDoc;
}

/** What came of a notice: over, looked at again at a time, or not needed any more. */
export type Outcome = { done: { mailedSeq?: number } } | { again: Date; change?: Partial<NoticeDoc> } | 'needless';

/** What notices are written and bells rung with. */
export interface NotifyDeps {
  mail: Mail;
  push: Push;
  presence: Presence;
  sessions: Sessions;
  links: ResumeLinks;
  /** Milliseconds */
  now: () => number;
}
