import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import type { SiteDoc } from '../sites/model.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { afterwards } from './queue.ts';

const BATCH = 100;

/** A visitor and the site that the chats are on. */
interface PersonOfSite {
  visitor: Types.ObjectId;
  site: SiteDoc;
}

/** Tells the open chat who its visitor is, as the visitor said last; the name of a closed chat stays as it was. */
export async function nameVisitor(
  { visitor, site }: PersonOfSite,
  { name, email }: Pick<ChatDoc['visitorInfo'], 'name' | 'email'>,
): Promise<void> {
  const named = await ChatModel.findOneAndUpdate(
    { visitor, open: true, $or: [{ 'visitorInfo.name': { $ne: name } }, { 'visitorInfo.email': { $ne: email } }] },
    {
      $set: { 'visitorInfo.name': name, 'visitorInfo.email': email, updatedAt: new Date() },
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
        { $set: { blocked, updatedAt: new Date() }, $inc: { rev: 1 } },
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
