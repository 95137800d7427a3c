import type { Attachment, UploadQuery } from '../files/contract.ts';
import type { AckFn, Page, PageQuery } from '../http/contract.ts';
import type { VisitorPresence } from '../presence/contract.ts';

export const MESSAGE_MAX_LENGTH = 5_000;
/** Messages in one page of a thread. */
export const MESSAGE_PAGE = 50;
/** Maximum number of rows in a `sync` answer; with more changes it answers `reset`. */
export const SYNC_ROWS_MAX = 100;
/** A `sync` cursor reaches this far back before its own time; without a cursor, this far before the request. */
export const SYNC_OVERLAP_MS = 5_000;
export const TAGS_MAX = 20;
export const TAG_MAX_LENGTH = 30;
/** Notes in one page, newest page first. */
export const NOTE_PAGE = 50;
/** While someone keeps writing, `typing` is emitted at this interval; a client gains nothing by reporting more often. */
export const TYPING_EVERY_MS = 3_000;
/** Without a new report, the typing state ends by itself after this time. */
export const TYPING_ENDS_MS = 6_000;
export const RATING_MAX = 5;
export const RATING_COMMENT_MAX_LENGTH = 1_000;

/** waiting → active by a claim; both → closed; closed → active when a member reopens the chat. */
export type ChatStatus = 'waiting' | 'active' | 'closed';

/** Who wrote a message; `system` is Parley itself. */
export type Sender = 'visitor' | 'agent' | 'system';

/** What a system message reports. */
export type SystemEvent = 'closed' | 'reopened';

/** A message as both sides see it. `content` and `text` are equal: the spec's screens differ in which one they read. */
export interface Message {
  _id: string;
  chatId: string;
  /** Dense from 1 within the chat: a client that holds all messages up to n has no gap. */
  seq: number;
  /** The sender's own UUID of the message, kept through every retry. */
  clientId: string;
  sender: Sender;
  senderName: string | null;
  senderAvatar: string | null;
  type: 'text' | 'file' | 'system';
  /** The text; of a file, its name. */
  content: string;
  text: string;
  /** Set where `type` is `file`. */
  file: Attachment | null;
  /** Set where `type` is `system`. */
  event: SystemEvent | null;
  /** The automatic greeting that a visitor answered with this first message of a chat; absent: none. */
  greeting?: string;
  /** ISO 8601 UTC */
  timestamp: string;
}

/** A message as staff see it: with the colleague's id. */
export interface StaffMessage extends Message {
  senderId: string | null;
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
  /** `transferred`: a note made by the server that records who handed the chat to whom. */
  event: 'transferred' | null;
  /** The author's name at the time of writing. */
  author: { _id: string; name: string };
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
  claimedBy: Claimer | null;
  /** When the server chose the claimer; cleared when the claimer claims by hand or someone answers. ISO 8601 UTC. */
  assignedAt: string | null;
  /** Name of the colleague who handed it over; cleared when the claimer has opened it or someone answers. */
  handedBy: string | null;
  /** Time of the visitor's first unanswered message, ISO 8601 UTC; null: no answer is due. */
  waitingSince: string | null;
  /** Lower-case words that the team attached to it. */
  tags: string[];
  rating: Rating | null;
  /** The visitor is blocked: new messages are refused. */
  blocked: boolean;
  metadata: { lastMessage: string; lastActivity: string };
  /** The text of the newest message, cut to a preview. */
  lastMessage: string;
  /** The seq of the newest message, 0 before the first. */
  lastSeq: number;
  /** Number of visitor messages after the last one read by a member who may answer. */
  unread: number;
  /** The first message only; a thread is read with `GET /chats/:id/messages`. */
  messages: StaffMessage[];
  /** Increases with every change: a row with a lower number is stale. */
  rev: number;
  createdAt: string;
  closedAt: string | null;
}

/** One page of a thread, ascending; `more`: there are further messages in the requested direction. */
export interface MessagePage {
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
  status?: ChatStatus | 'all';
  /** Only chats of this claimer: `me` is the caller, `none` nobody, anything else a user's id. */
  claimedBy?: string;
  /** `yes`: only chats with visitor messages that no member has read. */
  unread?: 'yes';
  /** `yes`: only chats that a colleague handed over and that their claimer has not opened yet. */
  handed?: 'yes';
  /** Only chats with this tag. */
  tag?: string;
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
}

/** Body of a message sent from the inbox; `clientId` makes a retry idempotent. */
export interface MessageBody {
  content: string;
  type?: 'text';
  clientId?: string;
}

/** Body of a message sent from the console. */
export interface TextBody {
  text: string;
  clientId?: string;
}

/** Body of a note; `clientId` makes a retry idempotent. */
export interface NoteBody {
  content: string;
  clientId?: string;
}

/** The calls of chats. */
export interface ChatsApi {
  'GET /chats': { query: ChatListQuery; data: { chats: Chat[] } & Page };
  'GET /chats/site/:siteId': { query: ChatListQuery; data: { chats: Chat[] } & Page };
  'GET /chats/:id': { query: ThreadQuery; data: { chat: Chat & { messages: StaffMessage[] } } };
  'GET /chats/:id/messages': { query: ThreadQuery; data: MessagePage };
  'POST /chats/:id/messages': { body: MessageBody; data: { message: StaffMessage } };
  'POST /chats/:id/message': { body: TextBody; data: { message: StaffMessage } };
  /** The body is the file's bytes; the file becomes an ordinary message. */
  'POST /chats/:id/files': { query: UploadQuery; data: { message: StaffMessage } };
  'POST /chats/:id/claim': { data: { chat: Chat } };
  'POST /chats/:id/close': { data: { chat: Chat } };
  /** Opens a closed chat again, as long as its visitor has begun no newer one; the caller is its claimer. */
  'POST /chats/:id/reopen': { data: { chat: Chat } };
  /** Marks the visitor's messages up to `seq` as shown on screen. */
  'POST /chats/:id/read': { body: { seq: number }; data: Record<string, never> };
  /** The newest page, or the page before a given note. */
  'GET /chats/:id/notes': { query: { before?: string; limit?: number }; data: NotePage };
  'POST /chats/:id/notes': { body: NoteBody; data: { note: Note } };
  /** Replaces the complete list; PUT and POST do the same. */
  'PUT /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  'POST /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  /** To a colleague, or back to the queue. */
  'POST /chats/:id/transfer': { body: { userId: string | null }; data: { chat: Chat } };
  'DELETE /chats/:id': { data: Record<string, never> };
}

/** What a bell, a sound or a notification needs besides the message itself; only messages of visitors have it. */
export interface MessageNotice {
  siteId: string;
  siteName: string;
  visitorName: string | null;
}

/** Events about chats on the dashboard socket. */
export interface ChatEvents {
  new_chat: (event: { chat: Chat }) => void;
  /** Not sent to the socket that sent the message: its acknowledgement has the message. */
  new_message: (event: { chatId: string; message: StaffMessage; notice?: MessageNotice }) => void;
  /** The current list row. */
  chat_updated: (event: { chat: Chat }) => void;
  chat_status_changed: (event: { chatId: string; status: ChatStatus }) => void;
  chat_claimed: (event: { chatId: string; claimedBy: Claimer }) => void;
  /** Someone gave the chat to a colleague (follows `chat_claimed`) or back to the queue. */
  chat_transferred: (event: { chat: Chat; by: Claimer; to: Claimer | null }) => void;
  chat_closed: (event: { chatId: string; closedBy: Claimer | null }) => void;
  /** A closed chat is open again, claimed by the member (follows `chat_claimed`). */
  chat_reopened: (event: { chatId: string; by: Claimer }) => void;
  /** The chat is deleted with all its messages and notes. */
  chat_deleted: (event: { chatId: string }) => void;
  note_added: (event: { chatId: string; note: Note }) => void;
  receipts: (event: { chatId: string; party: 'visitor' | 'staff' } & Receipt) => void;
  /** Someone started or stopped writing; the state expires by itself. */
  typing: (event: { chatId: string; from: 'visitor' | 'agent'; name: string | null; isTyping: boolean }) => void;
  /** The members who have the chat open, each listed once. */
  viewers: (event: { chatId: string; users: Claimer[] }) => void;
}

/** Requests of the dashboard over its socket. */
export interface ChatRequests {
  send_message: (
    ask: { chatId: string; clientId: string; content: string; type?: 'text' },
    ack: AckFn<{ message: StaffMessage }>,
  ) => void;
  /** Joins the chat's room and reads the thread: after `afterSeq`, else the newest page. */
  open_chat: (
    ask: { chatId: string; afterSeq?: number },
    ack: AckFn<MessagePage & { visitor: VisitorPresence; receipts: Receipts; notes: Note[] }>,
  ) => void;
  leave_chat: (ask: { chatId: string }, ack: AckFn) => void;
  typing: (ask: { chatId: string; isTyping: boolean }, ack: AckFn) => void;
  /** The messages up to `seq` are stored on this device. */
  received: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  /** The messages up to `seq` were on screen in a focused page. */
  read: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  claim_chat: (ask: { chatId: string }, ack: AckFn<{ chat: Chat }>) => void;
  close_chat: (ask: { chatId: string }, ack: AckFn<{ chat: Chat }>) => void;
  /** Returns what changed since `cursor`, and for each thread the messages after `afterSeq`. */
  sync: (ask: { cursor?: string; chats: { chatId: string; afterSeq: number }[] }, ack: AckFn<SyncAnswer>) => void;
}

/** Everything that a dashboard missed; `reset`: too much changed, so load the lists again. */
export interface SyncAnswer {
  /** Opaque; sent back with the next `sync`. */
  cursor: string;
  reset: boolean;
  /** Rows changed since the cursor sent. */
  changed: Chat[];
  /** Ids of chats deleted since the cursor sent. */
  removed: string[];
  chats: ({ chatId: string; receipts: Receipts } & MessagePage)[];
}
