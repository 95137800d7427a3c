import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../http/contract.ts';
import { badRequest } from '../http/errors.ts';
import type { SiteDoc } from '../sites/model.ts';
import { BEGUN, type ChatPage } from './lists.ts';
import { type ChatDoc, ChatModel, TOUCHED } from './model.ts';
import { afterwards } from './queue.ts';

const BATCH = 100;

/** A visitor and the site that the chats are on. */
interface PersonOfSite {
  visitor: Types.ObjectId;
  site: SiteDoc;
}

/** A visitor's chats, the latest first. @throws AppError 400 for a cursor that is none */
export async function chatsOf(
  visitor: Types.ObjectId,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
): Promise<ChatPage> {
  if (cursor !== undefined && !/^[0-9a-f]{24}$/.test(cursor))
    throw badRequest('INVALID_CURSOR', 'This cursor is not valid.');
  const found = await ChatModel.find({ visitor, ...BEGUN, ...(cursor === undefined ? {} : { _id: { $lt: cursor } }) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<ChatDoc[]>();
  const chats = found.slice(0, limit);
  return { chats, nextCursor: found.length > limit ? (chats.at(-1)?._id.toHexString() ?? null) : null };
}

/** Tells the open chat who its visitor is, as the visitor said last; the name of a closed chat stays as it was. */
export async function nameVisitor(
  { visitor, site }: PersonOfSite,
  { name, email }: Pick<ChatDoc['visitorInfo'], 'name' | 'email'>,
): Promise<void> {
  const named = await ChatModel.findOneAndUpdate(
    { visitor, open: true, $or: [{ 'visitorInfo.name': { $ne: name } }, { 'visitorInfo.email': { $ne: email } }] },
    {
      $set: { 'visitorInfo.name': name, 'visitorInfo.email': email },
      ...TOUCHED,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (named) changed(named, site);
}

/** Copies onto a visitor's chats whether the visitor is blocked; may be repeated after a crash. */
export async function markBlocked({ visitor, site }: PersonOfSite, blocked: boolean): Promise<void> {
  for (;;) {
    const chats = await ChatModel.find({ visitor, blocked: { $ne: blocked } }, { _id: 1 })
      .limit(BATCH)
      .lean<ChatDoc[]>();
    for (const { _id } of chats) {
      const marked = await ChatModel.findOneAndUpdate(
        { _id },
        { $set: { blocked }, ...TOUCHED, $inc: { rev: 1 } },
        { returnDocument: 'after' },
      ).lean<ChatDoc>();
      if (marked) changed(marked, site);
    }
    if (chats.length < BATCH) return;
  }
}

function changed(chat: ChatDoc, site: SiteDoc): void {
  afterwards(chat._id.toHexString(), () => bus.tell('chatChanged', { chat, site }));
}
