import type { Chat, MessageMail, Note, StaffMessage } from '#features/chats/contract';
import type { ContactBody, PersonNote, VisitorDetails } from '#features/presence/contract';
import type { Page, PageQuery } from '#platform/http/contract';
import type { Visitor } from '../contract.ts';

/** A visitor who is on the site now, as the team sees the person; the page only if the site's `visitorPages` is on. */
export interface LiveVisitor extends Omit<VisitorDetails, 'pages' | 'note'> {
  _id: string;
  name: string | null;
  email: string | null;
  location: string | null;
  /** ISO 8601 UTC */
  since: string;
  openChatId: string | null;
  blocked: boolean;
}

/** All stored data about a person. */
export interface PersonExport {
  visitor: Visitor &
    VisitorDetails & {
      site: { _id: string; name: string };
      userAgent: string;
      location: string | null;
      blocked: boolean;
      createdAt: string;
      lastSeenAt: string;
    };
  /** Oldest first, each complete, except for whom of the team a note mentions. */
  chats: (Chat & { messages: ExportedMessage[]; notes: Omit<Note, 'mentions'>[] })[];
}

/** A message with all that is stored of the mail by which it came. */
export interface ExportedMessage extends StaffMessage {
  mail?: MessageMail & { subject: string; whole?: string };
}

/** The team's calls about visitors. */
export interface PeopleApi {
  /** The visitors who are on the site now, the latest arrival first. */
  'GET /sites/:id/visitors': { query: PageQuery; data: { visitors: LiveVisitor[] } & Page };
  /** The visitor's chats, the latest first. */
  'GET /visitors/:id/chats': { query: PageQuery; data: { chats: Chat[] } & Page };
  /** Starts a chat with a visitor who is on the site; the caller is its claimer. */
  'POST /visitors/:id/chats': {
    body: { content: string; formatted?: boolean; clientId?: string };
    data: { chat: Chat; message: StaffMessage };
  };
  /** Corrects name, address or phone number, for all chats of the visitor. What the website's identity has proved stays: 409. */
  'PATCH /visitors/:id': { body: ContactBody; data: { visitor: Visitor & Pick<VisitorDetails, 'phone'> } };
  /** Mails to the visitor's address came back: mails to it are tried again. */
  'DELETE /visitors/:id/bounce': { data: Record<string, never> };
  /**
   * Writes the note on the person; an empty one is removed. `version` is that of the note which the author has seen, left
   * out where there was none: if it was changed meanwhile, the answer is 409 `NOTE_CHANGED`.
   */
  'PUT /visitors/:id/note': { body: { content: string; version?: string }; data: { note: PersonNote | null } };
  'POST /visitors/:id/block': { data: { blocked: boolean } };
  'DELETE /visitors/:id/block': { data: { blocked: boolean } };
  /** Answers a file: a `PersonExport` as JSON. */
  'GET /visitors/:id/export': { data: never };
  'DELETE /visitors/:id': { data: Record<string, never> };
}

/** Events about visitors on the dashboard socket. */
export interface PeopleEvents {
  /** All data about this person is removed. */
  visitor_erased: (event: { visitorId: string; siteId: string }) => void;
  /**
   * A visitor moved to another page, or more is known about the visitor. Sent for visitors with an open chat, and for
   * all where `visitorPages` is on.
   */
  visitor_updated: (
    event: { visitorId: string; siteId: string; name: string | null; email: string | null } & VisitorDetails,
  ) => void;
}
