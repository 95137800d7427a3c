import type { Types } from 'mongoose';
import { peopleById } from '../auth/view.ts';
import { MESSAGE_PAGE } from '../chats/contract.ts';
import { readThread } from '../chats/lists.ts';
import { type ChatDoc, ChatModel, type MessageDoc } from '../chats/model.ts';
import { agentView, messageViews, ratingView } from '../chats/serialize.ts';
import type { ChatReceipt, VisitorChat, VisitorThread } from './contract.ts';

/** Maximum number of chats in one step; a visitor with more newer chats catches up page by page. */
const CHATS_MAX = 20;

/** The newest page of the visitor's newest chat. */
export async function newestThread(visitor: Types.ObjectId): Promise<VisitorThread> {
  const newest = await newestChat(visitor);
  if (!newest) return { chat: null, messages: [], more: false, receipts: [] };
  const { messages } = await readThread(newest._id, {});
  return { chat: await visitorChatView(newest), messages: await messageViews(messages), more: false, receipts: [] };
}

/** Reads the messages after `afterSeq` of chat `chatId`, through all later chats, one page at a time. */
export async function threadAfter(visitor: Types.ObjectId, chatId: string, afterSeq: number): Promise<VisitorThread> {
  const chats = await ChatModel.find({ visitor, _id: { $gte: chatId } })
    .sort({ _id: 1 })
    .limit(CHATS_MAX)
    .lean<ChatDoc[]>();
  if (chats[0]?._id.toHexString() !== chatId.toLowerCase()) return newestThread(visitor);
  const messages: MessageDoc[] = [];
  let more = chats.length === CHATS_MAX;
  for (const chat of chats) {
    const after = chat === chats[0] ? afterSeq : 0;
    const page = await readThread(chat._id, { after, limit: MESSAGE_PAGE - messages.length });
    messages.push(...page.messages);
    more ||= page.more;
    if (messages.length >= MESSAGE_PAGE || page.more) {
      more ||= chat !== chats.at(-1);
      break;
    }
  }
  const newest = await newestChat(visitor);
  return {
    chat: newest && (await visitorChatView(newest)),
    messages: await messageViews(messages),
    more,
    receipts: chats.map(receiptOf),
  };
}

/** Reads the page before `beforeSeq` of chat `chatId`, continuing through earlier chats; `more`: there are earlier ones. */
export async function threadBefore(visitor: Types.ObjectId, chatId: string, beforeSeq: number): Promise<VisitorThread> {
  const chats = await ChatModel.find({ visitor, _id: { $lte: chatId } })
    .sort({ _id: -1 })
    .limit(CHATS_MAX)
    .lean<ChatDoc[]>();
  const messages: MessageDoc[] = [];
  const isOwn = chats[0]?._id.toHexString() === chatId.toLowerCase();
  let more = isOwn;
  for (const chat of isOwn ? chats : []) {
    const before = chat === chats[0] ? { before: beforeSeq } : {};
    const page = await readThread(chat._id, { ...before, limit: MESSAGE_PAGE - messages.length });
    messages.unshift(...page.messages);
    more = page.more || chat !== chats.at(-1) || chats.length === CHATS_MAX;
    if (messages.length >= MESSAGE_PAGE) break;
  }
  const newest = await newestChat(visitor);
  return {
    chat: newest && (await visitorChatView(newest)),
    messages: await messageViews(messages),
    more,
    receipts: chats.map(receiptOf),
  };
}

function newestChat(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  return ChatModel.findOne({ visitor }).sort({ _id: -1 }).lean<ChatDoc>().exec();
}

/** A chat as its visitor sees it. */
export async function visitorChatView(chat: ChatDoc): Promise<VisitorChat> {
  const { status, claimedBy } = chat;
  const { chatId, ...receipts } = receiptOf(chat);
  const agent = claimedBy && (await peopleById([claimedBy])).get(claimedBy.toHexString());
  return {
    _id: chatId,
    status,
    agent: agent ? agentView(agent) : null,
    receipts,
    readSeq: chat.receipts.visitor.read,
    rating: ratingView(chat),
  };
}

function receiptOf({ _id, receipts: { staff } }: ChatDoc): ChatReceipt {
  return { chatId: _id.toHexString(), delivered: staff.delivered, read: staff.read };
}
