import type { AnswerSource, ChatAssistant } from '#features/assistant/contract';
import type { ChatDepartment, DepartmentName } from '#features/departments/contract';
import type { Attachment, UploadQuery } from '#platform/files/contract';
import type { Page, PageQuery } from '#platform/http/contract';

export const MESSAGE_MAX_LENGTH = 5_000;
/** For this long after sending it, an author may correct or delete a message. */
export const MESSAGE_CHANGE_MS = 15 * 60_000;
/** Changed messages in one answer; with more, a client asks again. */
export const CHANGES_MAX = 50;
/** Messages in one page of a thread. */
export const MESSAGE_PAGE = 50;
/** Maximum number of rows in a `sync` answer; with more changes it answers `reset`. */
export const SYNC_ROWS_MAX = 100;
/** A `sync` cursor reaches this far back before its own time; without a cursor, this far before the request. */
export const SYNC_OVERLAP_MS = 5_000;
export const TAGS_MAX = 20;
export const TAG_MAX_LENGTH = 30;
/** Colleagues that one note may mention. */
export const MENTIONS_MAX = 20;
/** Notes in one page, newest page first. */
export const NOTE_PAGE = 50;
/** While someone keeps writing, `typing` is emitted at this interval; a client gains nothing by reporting more often. */
export const TYPING_EVERY_MS = 3_000;
/** Where the site's `typingPreview` is on, what a visitor types is reported at this interval. */
export const TYPING_TEXT_EVERY_MS = 1_000;
export const TYPING_TEXT_MAX_LENGTH = 500;
/** Without a new report, the typing state ends by itself after this time. */
export const TYPING_ENDS_MS = 6_000;
export const RATING_MAX = 5;
export const RATING_COMMENT_MAX_LENGTH = 1_000;

/** waiting → active by a claim; both → closed; closed → active when a member reopens the chat. */
export type ChatStatus = 'waiting' | 'active' | 'closed';

/** Who wrote a message; `assistant`: the site's automatic assistant; `system` is Parley itself. */
export const SENDERS = ['visitor', 'agent', 'assistant', 'system'] as const;
export type Sender = (typeof SENDERS)[number];

/** What a system message reports; `handed_over`: from now on a person answers, not the assistant. */
export type SystemEvent = 'closed' | 'reopened' | 'handed_over';

/** A message as both sides see it. `content` and `text` are equal, unless it is formatted. */
export interface Message {
  _id: string;
  chatId: string;
  /** Dense from 1 within the chat: a client that holds all messages up to n has no gap. */
  seq: number;
  /** The sender's own UUID of the message, kept through every retry. For visitors, what a rule sent has its `_id` here: no person's has. */
  clientId: string;
  sender: Sender;
  senderName: string | null;
  senderAvatar: string | null;
  type: 'text' | 'file' | 'system';
  /** The text as typed; of a file, its name. */
  content: string;
  /** The same without formatting. */
  text: string;
  /** Whether `content` has light formatting, as `formattingOf` reads it; left out: it is plain text. Only messages of agents are formatted. */
  formatted?: boolean;
  /** Set where `type` is `file`. */
  file: Attachment | null;
  /** Set where `type` is `system`. */
  event: SystemEvent | null;
  /** The automatic greeting that a visitor answered with this first message of a chat; absent: none. */
  greeting?: string;
  /** Of an answer of the assistant: what it is made of. */
  sources?: AnswerSource[];
  /** ISO 8601 UTC */
  timestamp: string;
  /** Set once the author has changed it: of two states of a message, the one with the higher number is the newer. */
  edit?: number;
  /** When the author corrected it. */
  editedAt?: string;
  /** When the author deleted it: the text is empty and the file is gone. */
  deletedAt?: string;
}

/** Which changes of messages an answer includes. */
export interface MessageChanges<Of extends Message = Message> {
  /** Messages that were changed after the change that the request named by `afterEdit`, as they are now. */
  edited?: Of[];
  /** For the next `afterEdit`; left out: no message was ever changed. */
  lastEdit?: number;
}

/** Of a message that came by mail, what the team sees beside it. */
export interface MessageMail {
  /** The address that it came from; only where it is not the one that was written to. */
  from?: string;
  /** More was in the mail than the message shows: `GET /chats/:id/messages/:messageId/mail` has the whole text. */
  more?: true;
}

/** A message as staff see it: with the colleague's id. */
export interface StaffMessage extends Message {
  senderId: string | null;
  /** Absent: it did not come by mail. */
  mail?: MessageMail;
}

/** How far a party has received and read a chat, as seq numbers that never decrease. */
export interface Receipt {
  delivered: number;
  read: number;
}

/** Both parties' receipts. */
export interface Receipts {
  visitor: Receipt;
  staff: Receipt;
}

/** The person who answers a chat. */
export interface Claimer {
  _id: string;
  name: string;
}

/** An internal note of the team on a chat. The visitor never sees it, and it has no `seq`. */
export interface Note {
  _id: string;
  chatId: string;
  /** The author's own UUID of the note, kept through every retry. */
  clientId: string;
  content: string;
  /** What a note of the server's own records: who handed the chat to whom, put it into a department, snoozed it or brought it back. */
  event: 'transferred' | 'department' | 'snoozed' | 'unsnoozed' | null;
  /** With the event `snoozed`: until when. ISO 8601 UTC. */
  until?: string;
  /** With the event `transferred`: who has the chat now, with the name at that time; `null`: the queue. Older notes lack it. */
  to?: Claimer | null;
  /** With the events `transferred` and `department`: the department that it was put into, with the name at that time; `null`: none. */
  department?: DepartmentName | null;
  /** The author's name at the time of writing. `isRule`: it is not a person but a rule of the site. */
  author: { _id: string; name: string; isRule?: true };
  /** The colleagues whom it mentions, with their names at the time of writing; left out: nobody. */
  mentions?: Claimer[];
  createdAt: string;
}

/** The visitor's rating of the chat; a later rating replaces an earlier one. */
export interface Rating {
  /** 1 to 5 */
  score: number;
  comment: string | null;
}

/** A chat as the lists of the dashboard show it. */
export interface Chat {
  _id: string;
  status: ChatStatus;
  visitorId: string;
  visitorInfo: {
    name: string | null;
    email: string | null;
    userAgent: string;
    location: string | null;
  };
  site: { _id: string; name: string };
  /** The department that it is for; left out: none. */
  department?: ChatDepartment;
  claimedBy: Claimer | null;
  /** When the server chose the claimer; cleared when the claimer claims by hand or someone answers. ISO 8601 UTC. */
  assignedAt: string | null;
  /** Name of the colleague who handed it over; cleared when the claimer has opened it or someone answers. */
  handedBy: string | null;
  /** Time of the visitor's first unanswered message, ISO 8601 UTC; null: no answer is due. */
  waitingSince: string | null;
  /** Until then it is snoozed, ISO 8601 UTC; left out: it is not. */
  snoozedUntil?: string;
  /** What the assistant has to do with it; left out: nothing. */
  assistant?: ChatAssistant;
  /** Lower-case words that the team attached to it. */
  tags: string[];
  rating: Rating | null;
  /** The visitor is blocked: new messages are refused. */
  blocked: boolean;
  metadata: { lastMessage: string; lastActivity: string };
  /** The text of the newest message of a person, cut to a preview: a closed chat keeps what was written last. */
  lastMessage: string;
  /** The seq of the newest message, 0 before the first. */
  lastSeq: number;
  /** Number of visitor messages after the last one read by a member who may answer, or from a mark as unread on. */
  unread: number;
  /** The first message only; a thread is read with `GET /chats/:id/messages`. */
  messages: StaffMessage[];
  /** Increases with every change: a row with a lower number is stale. */
  rev: number;
  createdAt: string;
  closedAt: string | null;
}

/** One page of a thread, ascending; `more`: there are further messages in the requested direction. */
export interface MessagePage extends MessageChanges<StaffMessage> {
  messages: StaffMessage[];
  more: boolean;
}

/** One page of notes, oldest first; `more`: there are older ones. */
export interface NotePage {
  notes: Note[];
  more: boolean;
}

/** Filters of a chat list. */
export interface ChatListQuery extends PageQuery {
  /**
   * `waiting` and `active` leave out snoozed chats; `snoozed`: only those, of both. `waiting` leaves out those that the assistant has;
   * `assistant`: only those.
   */
  status?: ChatStatus | 'snoozed' | 'assistant' | 'all';
  /** Only chats of this claimer: `me` is the caller, `none` nobody, anything else a user's id. */
  claimedBy?: string;
  /** `yes`: only chats with visitor messages that no member has read, without snoozed ones if no status is given. */
  unread?: 'yes';
  /** `yes`: only chats that a colleague handed over and that their claimer has not opened yet. */
  handed?: 'yes';
  /** Only chats with this tag. */
  tag?: string;
  /** Only chats of this department; `none`: of no department. */
  department?: string;
  /** `waiting`: longest wait for an answer first, then the others. Left out: newest activity first. */
  sort?: 'activity' | 'waiting';
  /** Words of the visitor's name, e-mail or a message; the latest created chat first. Empty: no filter. */
  search?: string;
}

/** Which part of a thread: messages after or before a seq; with neither, the newest page. */
export interface ThreadQuery {
  before?: number;
  after?: number;
  limit?: number;
  /** Also asks for the messages that were changed after this change. */
  afterEdit?: number;
}

/** Body of a message sent from the inbox; `clientId` makes a retry idempotent. */
export interface MessageBody {
  content: string;
  /** Shows the light formatting of the text, if it has any: bold, italics, lists, code and named links. */
  formatted?: boolean;
  type?: 'text';
  clientId?: string;
}

/** A corrected text. */
export interface EditBody {
  content: string;
  /** The `edit` of the message that the author saw, 0 if it had none: another change meanwhile refuses this one. */
  edit?: number;
}

/** A corrected answer; `formatted` as of a new one. Left out: it stays as it is. */
export interface AnswerEditBody extends EditBody {
  formatted?: boolean;
}

/** Body of a message sent from the console. */
export interface TextBody {
  text: string;
  formatted?: boolean;
  clientId?: string;
}

/** Body of a note; `clientId` makes a retry idempotent. */
export interface NoteBody {
  content: string;
  clientId?: string;
  /** User ids of members of the site: they are notified, except for the author. At most 20. */
  mentions?: string[];
}

/** The calls of chats. */
export interface ChatsApi {
  'GET /chats': { query: ChatListQuery; data: { chats: Chat[] } & Page };
  'GET /chats/site/:siteId': { query: ChatListQuery; data: { chats: Chat[] } & Page };
  'GET /chats/:id': { query: ThreadQuery; data: { chat: Chat & { messages: StaffMessage[] } } };
  'GET /chats/:id/messages': { query: ThreadQuery; data: MessagePage };
  'POST /chats/:id/messages': { body: MessageBody; data: { message: StaffMessage } };
  'POST /chats/:id/message': { body: TextBody; data: { message: StaffMessage } };
  /** Corrects an own message, within 15 minutes. */
  'PATCH /chats/:id/messages/:messageId': { body: AnswerEditBody; data: { message: StaffMessage } };
  /** Deletes the text or file of an own message, within 15 minutes; its place in the chat stays. */
  'DELETE /chats/:id/messages/:messageId': { data: { message: StaffMessage } };
  /** The body is the file's bytes; the file becomes an ordinary message. */
  'POST /chats/:id/files': { query: UploadQuery; data: { message: StaffMessage } };
  /** Marks the visitor's messages up to `seq` as shown on screen. */
  'POST /chats/:id/read': { body: { seq: number }; data: Record<string, never> };
  /** Marks an open chat as unread from its visitor's latest message on; what the visitor is shown as read stays. */
  'POST /chats/:id/unread': { data: { chat: Chat } };
  /** The newest page, or the page before a given note. */
  'GET /chats/:id/notes': { query: { before?: string; limit?: number }; data: NotePage };
  'POST /chats/:id/notes': { body: NoteBody; data: { note: Note } };
  /** Replaces the complete list; PUT and POST do the same. */
  'PUT /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  'POST /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  'DELETE /chats/:id': { data: Record<string, never> };
}
