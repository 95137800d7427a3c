import { bus } from '../bus.ts';
import { notFound } from '../http/errors.ts';
import type { ChatOfSite } from './actions.ts';
import { type ChatDoc, ChatModel, TOUCHED } from './model.ts';
import { afterwards } from './queue.ts';

/** A tag as it is kept: one spelling for what reads alike. */
export function normalizeTag(tag: string): string {
  return tag.replaceAll('\0', '').toWellFormed().normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Puts these tags on a chat, open or closed, in the place of those it has. @throws AppError 404 when it is gone */
export async function setTags({ chat, site }: ChatOfSite, tags: string[]): Promise<ChatDoc> {
  const tagged = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id },
    { $set: { tags }, ...TOUCHED, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!tagged) throw notFound('chat');
  afterwards(chat._id.toHexString(), () => bus.tell('chatChanged', { chat: tagged, site }));
  return tagged;
}
