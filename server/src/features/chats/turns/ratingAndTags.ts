import { type QueryFilter, Types } from 'mongoose';
import { rulesFor } from '#features/sites';
import { events } from '#platform/events';
import { conflict, notFound, sentence } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import { type Rating, TAGS_MAX } from '../contract.ts';
import type { ChatOfSite } from '../guards.ts';
import { storedText } from '../messages/cardNumbers.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
import { type OutboxUpdate, outboxUpdate } from '../outboxEvents.ts';

/** Stores the visitor's rating (CSAT) of a chat, open or closed; it replaces an earlier one. @throws AppError 404 */
export async function rateChat(of: ChatOfSite, { score, comment }: Rating): Promise<ChatDoc> {
  const outbox = outboxUpdate(of, 'chat.rated');
  const stored = { score, comment: comment && storedText(of.site, comment) };
  for (let chat: ChatDoc | null = of.chat; chat; chat = await ChatModel.findById(chat._id).lean<ChatDoc>()) {
    const fields = {
      rating: { ...stored, turn: chat.reopenedSeq ?? 0 },
      ratedAt: new Date(),
      uncounted: new Types.ObjectId(),
      ...(rulesFor(of.site, 'rated').length > 0 && { unruled: new Types.ObjectId() }),
    };
    // Unless it was reopened since it was read.
    const rated = await setFields(of, fields, outbox, { reopenedSeq: chat.reopenedSeq ?? null });
    if (rated) return rated;
  }
  throw notFound('chat');
}

/** Replaces the tags of a chat, open or closed. @throws AppError 404 when it is deleted */
export async function setTags(of: ChatOfSite, tags: string[]): Promise<ChatDoc> {
  const changed = await setFields(of, { tags });
  if (!changed) throw notFound('chat');
  return changed;
}

/**
 * Adds one tag to a chat, open or closed, or takes it off; others that are changed at the same time are kept.
 * @returns null when the chat already had it, or had it not
 * @throws AppError 404 when it is deleted, 409 `TOO_MANY_TAGS`
 */
export async function changeTag({ chat, site }: ChatOfSite, tag: string, isAdded: boolean): Promise<ChatDoc | null> {
  const changed = await ChatModel.findOneAndUpdate(
    {
      _id: chat._id,
      site: site._id,
      ...(isAdded ? { tags: { $ne: tag }, [`tags.${TAGS_MAX - 1}`]: { $exists: false } } : { tags: tag }),
    },
    { ...(isAdded ? { $push: { tags: tag } } : { $pull: { tags: tag } }), ...SET_UPDATED_AT, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (changed) {
    enqueueUnawaited(chat._id.toHexString(), () => events.emit('chatChanged', { chat: changed, site }));
    return changed;
  }
  const now = await ChatModel.findById(chat._id, { tags: 1 }).lean<ChatDoc>();
  if (!now) throw notFound('chat');
  if (isAdded && !now.tags.includes(tag)) throw tooManyTags();
  return null;
}

/** 409: the chat has room for no further tag. */
export function tooManyTags() {
  return conflict('TOO_MANY_TAGS', sentence('This chat already has {max} tags.', { max: TAGS_MAX }));
}

/** @param onlyIf what must not have changed meanwhile @returns null: it has, or the chat is deleted */
async function setFields(
  { chat, site }: ChatOfSite,
  changes: Partial<Pick<ChatDoc, 'rating' | 'ratedAt' | 'uncounted' | 'unruled' | 'tags'>>,
  { fields, ...outbox }: Partial<OutboxUpdate> = {},
  onlyIf: QueryFilter<ChatDoc> = {},
): Promise<ChatDoc | null> {
  const changed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, ...onlyIf },
    { $set: { ...changes, ...fields }, ...outbox, ...SET_UPDATED_AT, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (changed) enqueueUnawaited(chat._id.toHexString(), () => events.emit('chatChanged', { chat: changed, site }));
  return changed;
}
