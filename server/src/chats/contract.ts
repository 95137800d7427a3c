import type { Attachment, UploadQuery } from '../files/contract.ts';
import type { AckFn, Page, PageQuery } from '../http/contract.ts';
import type { VisitorFacts } from '../visitors/contract.ts';

export const MESSAGE_MAX_LENGTH = 5_000;
/** Messages in one page of a thread. */
export const MESSAGE_PAGE = 50;
/** Rows that a `sync` answers before it says `reset`. */
export const SYNC_ROWS_MAX = 100;
/** A cursor of `sync` looks so far back behind its own moment; without a cursor, so far behind the question. */
export const SYNC_OVERLAP_MS = 5_000;
export const TAGS_MAX = 20;
export const TAG_MAX_LENGTH = 30;
/** Notes in one page, newest page first. */
export const NOTE_PAGE = 50;
/** While somebody goes on writing, `typing` is told this often, and nothing is gained by asking oftener. */
export const TYPING_EVERY_MS = 3_000;
/** Without news, writing ends by itself. */
export const TYPING_ENDS_MS = 6_000;
export const RATING_MAX = 5;
export const RATING_COMMENT_MAX_LENGTH = 1_000;

/** waiting → active by a claim; both → closed. */
export type ChatStatus = 'waiting' | 'active' | 'closed';

/** Who wrote a message; `system` is Parley itself. */
export type Sender = 'visitor' | 'agent' | 'system';

/** What a system message reports. */
export type SystemEvent = 'closed';

/** A message as both sides see it. `content` and `text` are the same: the spec's screens differ in which one they read. */
export interface Message {
  _id: string;
  chatId: string;
  /** Dense from 1 within the chat: who holds everything up to n misses nothing. */
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
  /** ISO 8601 UTC */
  timestamp: string;
}

/** A message as staff see it: with the colleague's id. */
export interface StaffMessage extends Message {
  senderId: string | null;
}

/** How far a party has got in a chat, as seq numbers that never fall. */
export interface Receipt {
  delivered: number;
  read: number;
}

/** Both parties' receipts. */
export interface Receipts {
  visitor: Receipt;
  staff: Receipt;
}

/** Whoever answers a chat. */
export interface Claimer {
  _id: string;
  name: string;
}

/** What the team notes on a chat; its visitor never sees it, and it takes no `seq`. */
export interface Note {
  _id: string;
  chatId: string;
  /** The author's own UUID of the note, kept through every retry. */
  clientId: string;
  content: string;
  /** `transferred`: nobody typed it, it says who handed the chat to whom. */
  event: 'transferred' | null;
  /** The name is as it was at that time. */
  author: { _id: string; name: string };
  createdAt: string;
}

/** What the visitor thought of the chat; the last word counts. */
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
  /** When the server chose the claimer, until he claims by hand or anybody answers; ISO 8601 UTC. */
  assignedAt: string | null;
  /** The colleague who handed it to the claimer, by name, until the claimer has opened it or anybody answers. */
  handedBy: string | null;
  /** When the visitor wrote what nobody has answered yet, ISO 8601 UTC; null: the visitor waits for nothing. */
  waitingSince: string | null;
  /** Lower-case words that the team put on it. */
  tags: string[];
  rating: Rating | null;
  /** The visitor's messages are refused. */
  blocked: boolean;
  metadata: { lastMessage: string; lastActivity: string };
  /** The text of the newest message, cut to a preview. */
  lastMessage: string;
  /** The seq of the newest message, 0 before the first. */
  lastSeq: number;
  /** Visitor messages after the last one that a writing member read. */
  unread: number;
  /** The first message only; a thread is read with `GET /chats/:id/messages`. */
  messages: StaffMessage[];
  /** Grows with every change: a row with a lower one is stale. */
  rev: number;
  createdAt: string;
  closedAt: string | null;
}

/** One page of a thread, ascending; `more` says whether there is another in the direction asked for. */
export interface MessagePage {
  messages: StaffMessage[];
  more: boolean;
}

/** One page of notes, oldest first; `more` says whether there are older ones. */
export interface NotePage {
  notes: Note[];
  more: boolean;
}

/** The visitor of an open thread, as staff see the person right now. */
export interface VisitorPresence extends VisitorFacts {
  _id: string;
  online: boolean;
}

/** Filters of a chat list. */
export interface ChatListQuery extends PageQuery {
  status?: ChatStatus | 'all';
  /** `me`: only those that the caller has claimed. */
  claimedBy?: 'me';
  /** `yes`: only those with visitor messages that nobody on the team has read. */
  unread?: 'yes';
  /** `waiting`: who has waited longest for an answer first, then the rest. Left out: newest activity first. */
  sort?: 'activity' | 'waiting';
  /** Words of the visitor's name, e-mail or a message, latest begun first; empty: filters nothing. */
  search?: string;
}

/** Which part of a thread: messages before or after a seq; neither: the newest page. */
export interface ThreadQuery {
  before?: number;
  after?: number;
  limit?: number;
}

/** The inbox's way to send; `clientId` makes a retry harmless. */
export interface MessageBody {
  content: string;
  type?: 'text';
  clientId?: string;
}

/** The console's way to send. */
export interface TextBody {
  text: string;
  clientId?: string;
}

/** A note; `clientId` makes a retry harmless. */
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
  /** The body is the file itself; a file is a message like any other. */
  'POST /chats/:id/files': { query: UploadQuery; data: { message: StaffMessage } };
  'POST /chats/:id/claim': { data: { chat: Chat } };
  'POST /chats/:id/close': { data: { chat: Chat } };
  /** The visitor's messages up to `seq` were on screen. */
  'POST /chats/:id/read': { body: { seq: number }; data: Record<string, never> };
  /** The newest page, or the one before a note. */
  'GET /chats/:id/notes': { query: { before?: string; limit?: number }; data: NotePage };
  'POST /chats/:id/notes': { body: NoteBody; data: { note: Note } };
  /** The whole list, by either verb. */
  'PUT /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  'POST /chats/:id/tags': { body: { tags: string[] }; data: { chat: Chat } };
  /** To a colleague, or back to the queue. */
  'POST /chats/:id/transfer': { body: { userId: string | null }; data: { chat: Chat } };
  'DELETE /chats/:id': { data: Record<string, never> };
}

/** What the dashboard socket tells of chats. */
export interface ChatEvents {
  new_chat: (event: { chat: Chat }) => void;
  new_message: (event: { chatId: string; message: StaffMessage }) => void;
  /** A visitor wrote: all that a bell, a sound or a notification needs. */
  chat_message: (event: {
    chatId: string;
    siteId: string;
    siteName: string;
    visitorName: string | null;
    preview: string;
    at: string;
  }) => void;
  /** The list row as it is now. */
  chat_updated: (event: { chat: Chat }) => void;
  chat_status_changed: (event: { chatId: string; status: ChatStatus }) => void;
  chat_claimed: (event: { chatId: string; claimedBy: Claimer }) => void;
  /** Somebody gave the chat to a colleague (after `chat_claimed`), or back to the queue. */
  chat_transferred: (event: { chat: Chat; by: Claimer; to: Claimer | null }) => void;
  chat_closed: (event: { chatId: string; closedBy: Claimer | null }) => void;
  /** The chat is gone for good, with all its messages and notes. */
  chat_deleted: (event: { chatId: string }) => void;
  note_added: (event: { chatId: string; note: Note }) => void;
  receipts: (event: { chatId: string; party: 'visitor' | 'staff' } & Receipt) => void;
  /** Somebody writes right now, or ceased to; ends by itself. */
  typing: (event: { chatId: string; from: 'visitor' | 'agent'; name: string | null; isTyping: boolean }) => void;
  /** Who has the chat open, each once. */
  viewers: (event: { chatId: string; users: Claimer[] }) => void;
}

/** What the dashboard asks over its socket. */
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
  /** What changed since `cursor`, and what each thread misses after `afterSeq`. */
  sync: (ask: { cursor?: string; chats: { chatId: string; afterSeq: number }[] }, ack: AckFn<SyncAnswer>) => void;
}

/** All that a dashboard missed; `reset` means too much: load the lists again. */
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
