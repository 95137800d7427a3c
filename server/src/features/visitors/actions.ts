import type { Types } from 'mongoose';
import {
  type Change,
  type ChatDoc,
  ChatModel,
  changeMessage,
  changesView,
  chatCache,
  type MessageDoc,
  messageViews,
  newestMessage,
  rateChat,
  readChanges,
  readThread,
} from '#features/chats';
import { MESSAGE_PAGE, type MessageChanges } from '#features/chats/contract';
import type { Usage } from '#features/usage';
import { events } from '#platform/events';
import { notFound } from '#platform/http';
import { withRetries } from '#platform/time';
import type { RatingBody, VisitorChat, VisitorThread } from './contract.ts';
import { refuseBlocked } from './guards.ts';
import { type VisitorAccess, type VisitorDoc, VisitorModel } from './model.ts';
import { receiptOf, visitorChatView } from './view.ts';

/** Loads a chat of this visitor. @throws AppError 404 for unknown chats and those of others alike */
export async function ownChat({ visitor }: VisitorAccess, chatId: string): Promise<ChatDoc> {
  const chat = await chatCache.find(chatId);
  if (!chat?.visitor.equals(visitor._id)) throw notFound('chat');
  return chat;
}

/** Stores the visitor's rating of an own chat. @throws AppError 403 `BLOCKED`, 404 */
export async function rateAsVisitor(access: VisitorAccess, { chatId, score, comment }: RatingBody): Promise<ChatDoc> {
  refuseBlocked(access.visitor);
  const chat = await ownChat(access, chatId);
  return rateChat({ chat, site: access.site }, { score, comment: comment || null });
}

/** Maximum number of chats in one step; a visitor with more newer chats catches up page by page. */
const CHATS_MAX = 20;

/** The newest page of the visitor's newest chat. */
export async function newestThread({ _id, lastEdit = 0 }: VisitorDoc): Promise<VisitorThread> {
  const newest = await newestChat(_id);
  if (!newest) return { chat: null, messages: [], more: false, receipts: [] };
  const { messages } = await readThread(newest._id, {});
  const changes = lastEdit > 0 ? { lastEdit } : {};
  const [chat, views] = [await visitorChatView(newest), await messageViews(messages)];
  return { chat, messages: views, more: false, receipts: [], ...changes };
}

/** The visitor's messages that were changed after a change. */
export async function changesAfter(
  { _id: visitor, lastEdit }: VisitorDoc,
  afterEdit: number | undefined,
): Promise<MessageChanges> {
  return changesView(await readChanges({ visitor, lastEdit }, afterEdit), messageViews);
}

/**
 * Keeps the number of the newest change in the visitor's record, which every request of a widget reads anyway.
 * @returns a disposer
 */
export function followChanges(): () => void {
  return events.on('messageChanged', async ({ chat, message: { edit = 0 } }) => {
    const failed = (error: unknown) => events.fail(error, 'changes of a visitor');
    const filter = { _id: chat.visitor, erasedAt: null };
    await withRetries(() => VisitorModel.updateOne(filter, { $max: { lastEdit: edit } }), { failed });
  });
}

/** Corrects (or, without a text, deletes) an own message. @throws AppError as `changeMessage`, and 403 `BLOCKED` */
export async function changeAsVisitor(
  access: VisitorAccess,
  { chatId, messageId }: { chatId: string; messageId: string },
  change: Change,
  usage: Usage,
): Promise<MessageDoc> {
  refuseBlocked(access.visitor);
  const of = { chat: await ownChat(access, chatId), site: access.site };
  return changeMessage(of, { messageId, senderKey: `v:${access.visitor._id}` }, change, usage);
}

/** Reads the messages after `afterSeq` of chat `chatId`, through all later chats, one page at a time. */
export async function threadAfter(person: VisitorDoc, chatId: string, afterSeq: number): Promise<VisitorThread> {
  const visitor = person._id;
  const chats = await ChatModel.find({ visitor, _id: { $gte: chatId } })
    .sort({ _id: 1 })
    .limit(CHATS_MAX)
    .lean<ChatDoc[]>();
  if (chats[0]?._id.toHexString() !== chatId.toLowerCase()) return newestThread(person);
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
  return threadView(visitor, chats, messages, more);
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
  return threadView(visitor, chats, messages, more);
}

async function threadView(
  visitor: Types.ObjectId,
  chats: ChatDoc[],
  messages: MessageDoc[],
  more: boolean,
): Promise<VisitorThread> {
  const newest = await newestChat(visitor);
  return {
    chat: newest && (await visitorChatView(newest)),
    messages: await messageViews(messages),
    more,
    receipts: chats.map(receiptOf),
  };
}

/** What a visitor's page should know. */
export interface NewestState {
  chat: VisitorChat | null;
  /** Of the newest message: of the messages, because the row may be behind. */
  seq: number;
  /** Of the newest change of a message. */
  lastEdit: number;
}

/** The newest chat of a visitor, and how far its messages and their changes go. */
export async function newestState({ _id, lastEdit = 0 }: VisitorDoc): Promise<NewestState> {
  const newest = await newestChat(_id);
  if (!newest) return { chat: null, seq: 0, lastEdit };
  const [chat, last] = await Promise.all([visitorChatView(newest), newestMessage(newest._id)]);
  return { chat, seq: last?.seq ?? 0, lastEdit };
}

function newestChat(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  return ChatModel.findOne({ visitor }).sort({ _id: -1 }).lean<ChatDoc>().exec();
}
