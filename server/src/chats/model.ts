import { model, Schema, type Types } from 'mongoose';
import type { ChatStatus, Receipts, Sender, SystemEvent } from './contract.ts';

/** A chat as stored: its state, and a summary that can be rebuilt from its messages at any time. */
export interface ChatDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  visitor: Types.ObjectId;
  status: ChatStatus;
  /** Set until the chat is closed: a visitor has at most one such chat, by a unique index. */
  open?: boolean;
  /** The visitor's user agent looks like a machine's: kept out of lists, counts and live events. */
  bot: boolean;
  visitorInfo: { name: string | null; email: string | null; userAgent: string; location: string | null };
  claimedBy: Types.ObjectId | null;
  createdAt: Date;
  closedAt: Date | null;
  closedBy: Types.ObjectId | null;
  /** Summary: seq, text and time of the newest message, the first one's text, and what staff have not read. */
  lastSeq: number;
  lastMessage: string;
  lastActivity: Date;
  unread: number;
  receipts: Receipts;
  /** Grows with every change. */
  rev: number;
  updatedAt: Date;
}

const receipt = { delivered: { type: Number, default: 0 }, read: { type: Number, default: 0 } };

const chatSchema = new Schema<ChatDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    visitor: { type: Schema.Types.ObjectId, required: true },
    status: { type: String, enum: ['waiting', 'active', 'closed'] as const, default: 'waiting' },
    open: { type: Boolean },
    bot: { type: Boolean, required: true },
    visitorInfo: {
      name: { type: String, default: null },
      email: { type: String, default: null },
      userAgent: { type: String, default: '' },
      location: { type: String, default: null },
    },
    claimedBy: { type: Schema.Types.ObjectId, default: null },
    createdAt: { type: Date, required: true },
    closedAt: { type: Date, default: null },
    closedBy: { type: Schema.Types.ObjectId, default: null },
    lastSeq: { type: Number, default: 0 },
    lastMessage: { type: String, default: '' },
    lastActivity: { type: Date, required: true },
    unread: { type: Number, default: 0 },
    receipts: { visitor: receipt, staff: receipt },
    rev: { type: Number, default: 1 },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false },
);
chatSchema.index({ site: 1, bot: 1, lastActivity: -1, _id: -1 });
chatSchema.index({ site: 1, bot: 1, status: 1, lastActivity: -1, _id: -1 });
chatSchema.index({ site: 1, bot: 1, updatedAt: 1 });
chatSchema.index({ site: 1, claimedBy: 1 }, { name: 'open_by_claimer', partialFilterExpression: { open: true } });
chatSchema.index({ visitor: 1, _id: -1 });
chatSchema.index({ visitor: 1 }, { name: 'one_open_chat', unique: true, partialFilterExpression: { open: true } });
export const ChatModel = model<ChatDoc>('Chat', chatSchema, 'chats');

/** A message as stored; inserting it is the commit. */
export interface MessageDoc {
  _id: Types.ObjectId;
  chat: Types.ObjectId;
  site: Types.ObjectId;
  /** Dense from 1 within the chat. */
  seq: number;
  /** Whose `clientId` it is: `v:{visitor}`, `u:{user}` or `s:{chat}`. */
  senderKey: string;
  clientId: string;
  sender: Sender;
  /** The user who wrote it; null for visitors and the system. */
  author: Types.ObjectId | null;
  /** The sender's name at that time. */
  authorName: string | null;
  event: SystemEvent | null;
  content: string;
  createdAt: Date;
}

const messageSchema = new Schema<MessageDoc>(
  {
    chat: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    seq: { type: Number, required: true },
    senderKey: { type: String, required: true },
    clientId: { type: String, required: true },
    sender: { type: String, enum: ['visitor', 'agent', 'system'] as const, required: true },
    author: { type: Schema.Types.ObjectId, default: null },
    authorName: { type: String, default: null },
    event: { type: String, default: null },
    content: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
messageSchema.index({ chat: 1, seq: 1 }, { unique: true });
messageSchema.index({ senderKey: 1, clientId: 1 }, { unique: true });
messageSchema.index({ site: 1 });
export const MessageModel = model<MessageDoc>('Message', messageSchema, 'messages');
