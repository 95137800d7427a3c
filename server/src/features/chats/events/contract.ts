import type { ChatDepartment } from '#features/departments/contract';
import type { VisitorPresence } from '#features/presence/contract';
import type { AckFn } from '#platform/http/contract';
import type { Chat, ChatStatus, Claimer, MessagePage, Note, Receipt, Receipts, StaffMessage } from '../contract.ts';

/** What a bell, a sound or a notification needs besides the message itself; only messages of visitors have it. */
export interface MessageNotice {
  siteId: string;
  siteName: string;
  visitorName: string | null;
  /** The department of the chat; left out: none. */
  department?: ChatDepartment;
}

/** Events about chats on the dashboard socket. */
export interface ChatEvents {
  new_chat: (event: { chat: Chat }) => void;
  /** Not sent to the socket that sent the message: its acknowledgement has the message. */
  new_message: (event: { chatId: string; message: StaffMessage; notice?: MessageNotice }) => void;
  /** The author has corrected or deleted a message. */
  message_changed: (event: { chatId: string; message: StaffMessage }) => void;
  /** The current list row. */
  chat_updated: (event: { chat: Chat }) => void;
  chat_status_changed: (event: { chatId: string; status: ChatStatus }) => void;
  chat_claimed: (event: { chatId: string; claimedBy: Claimer }) => void;
  /** Someone gave the chat to a colleague (follows `chat_claimed`) or back to the queue. */
  chat_transferred: (event: { chat: Chat; by: Claimer; to: Claimer | null }) => void;
  chat_closed: (event: { chatId: string; closedBy: Claimer | null }) => void;
  /** A closed chat is open again, claimed by the member (follows `chat_claimed`). */
  chat_reopened: (event: { chatId: string; by: Claimer }) => void;
  /** The time has come until which the chat was snoozed. */
  chat_woken: (event: { chat: Chat }) => void;
  /** The chat is deleted with all its messages and notes. */
  chat_deleted: (event: { chatId: string }) => void;
  note_added: (event: { chatId: string; note: Note }) => void;
  receipts: (event: { chatId: string; party: 'visitor' | 'staff' } & Receipt) => void;
  /** Someone started or stopped writing; the state expires by itself. */
  /** `text`: what the visitor has typed so far, for those who have the chat open; it is stored nowhere. */
  typing: (event: {
    chatId: string;
    from: 'visitor' | 'agent';
    name: string | null;
    isTyping: boolean;
    text?: string;
  }) => void;
  /** The members who have the chat open, each listed once. */
  viewers: (event: { chatId: string; users: Claimer[] }) => void;
}

/** Requests of the dashboard over its socket. */
export interface ChatRequests {
  send_message: (
    ask: { chatId: string; clientId: string; content: string; type?: 'text'; formatted?: boolean },
    ack: AckFn<{ message: StaffMessage }>,
  ) => void;
  /** Joins the chat's room and reads the thread: after `afterSeq`, else the newest page. */
  open_chat: (
    ask: { chatId: string; afterSeq?: number; afterEdit?: number },
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
  /** Returns what changed since `cursor`, and for each thread the messages after `afterSeq` and the changes after `afterEdit`. */
  sync: (
    ask: { cursor?: string; chats: { chatId: string; afterSeq: number; afterEdit?: number }[] },
    ack: AckFn<SyncAnswer>,
  ) => void;
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
