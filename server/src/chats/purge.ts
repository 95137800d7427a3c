import { type Model, type QueryFilter, Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { SiteModel } from '../sites/model.ts';
import { ChatModel, MessageModel, NoteModel, RemovalModel } from './model.ts';

/** Chats whose messages go together. */
const BATCH = 50;
/** Clocks of several machines, and the seconds that ids are made of. */
const OVERLAP_MS = 60_000;

/** Removes all chats, messages and notes of a deleted site. */
export async function purgeChats(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(NoteModel, { site }, signal);
  await purgeWithMessages(ChatModel, site, signal);
  // a chat that was deleted before leaves the message that closed it
  await purgeWithMessages(RemovalModel, site, signal);
  await purgeLate(site, signal);
}

/** Removes documents that stand for chats under their ids, each after its messages, which are found by it. */
async function purgeWithMessages<Doc extends { _id: Types.ObjectId; site: Types.ObjectId }>(
  model: Model<Doc>,
  site: Types.ObjectId,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const found = await model
      .find({ site } as QueryFilter<Doc>, { _id: 1 })
      .limit(BATCH)
      .lean<Pick<Doc, '_id'>[]>();
    const ids = found.map(({ _id }) => _id);
    await deleteInBatches(MessageModel, { chat: { $in: ids } }, signal);
    if (signal?.aborted) return;
    await model.deleteMany({ _id: { $in: ids } } as QueryFilter<Doc>);
    if (ids.length < BATCH) return;
  }
}

/** Removes messages that were on their way while their chat went: they are among those since the site was deleted. */
async function purgeLate(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  const row = await SiteModel.findById(site, { deletedAt: 1 }).lean();
  const since = ((row?.deletedAt ?? new Date()).getTime() - OVERLAP_MS) / 1000;
  await deleteInBatches(MessageModel, { _id: { $gt: Types.ObjectId.createFromTime(since) }, site }, signal);
}
