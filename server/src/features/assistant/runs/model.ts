import { Schema, Types } from 'mongoose';
import { ChatModel } from '#features/chats';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { readPage, timeBehind, timeCursor } from '#platform/http';
import type { Page } from '#platform/http/contract';
import { DAY_S } from '#platform/time';
import type { AssistantRun, RunsQuery } from '../contract.ts';
import type { Outcome } from './answering.ts';

const KEPT_S = 30 * DAY_S;
const SHOWN_MAX = 20;

/** What the assistant did with one question, as stored; what was sent is as it was sent. */
export interface AssistantRunDoc extends Omit<AssistantRun, '_id' | 'chatId' | 'at'> {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  chat: Types.ObjectId;
  at: Date;
}

const strings = { type: [String], default: [] };
const runSchema = new Schema<AssistantRunDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true },
    question: { type: String, default: '' },
    words: strings,
    outcome: { type: String, required: true },
    reason: { type: String },
    detail: { type: String },
    passages: { type: [Schema.Types.Mixed], default: [] } as never,
    sent: { type: [Schema.Types.Mixed], default: [] } as never,
    answer: { type: String, default: '' },
    model: { type: String, required: true },
    tokens: { type: Number, required: true },
    ms: { type: Number, required: true },
  },
  { versionKey: false },
);
runSchema.index({ chat: 1, _id: -1 });
runSchema.index({ site: 1, at: -1 });
runSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_S });
export const AssistantRunModel = defineModel<AssistantRunDoc>('AssistantRun', runSchema, 'assistantRuns');

/** Keeps what a run did. A chat that was deleted meanwhile takes it along. */
export async function keepRun(
  { _id, site, chat }: Pick<AssistantRunDoc, '_id' | 'site' | 'chat'>,
  { sources, ...outcome }: Outcome,
  at: Date,
): Promise<void> {
  await AssistantRunModel.updateOne({ _id }, { $setOnInsert: { site, chat, at, ...outcome } }, { upsert: true });
  if (!(await ChatModel.exists({ _id: chat }))) await AssistantRunModel.deleteMany({ chat });
}

/** The runs of a chat, the newest first. */
export async function runsOf(chat: Types.ObjectId): Promise<AssistantRun[]> {
  const runs = await AssistantRunModel.find({ chat }).sort({ _id: -1 }).limit(SHOWN_MAX).lean<AssistantRunDoc[]>();
  return runs.map(runView);
}

/** A page of the runs of a site, the newest first. @throws AppError 400 for an invalid cursor */
export async function runsOfSite(
  site: Types.ObjectId,
  { failed, ...query }: RunsQuery,
): Promise<{ runs: AssistantRun[] } & Page> {
  const after = query.cursor === undefined ? null : timeBehind(query.cursor);
  const behind = after && {
    at: { $lte: after.at },
    $or: [{ at: { $lt: after.at } }, { _id: { $lt: new Types.ObjectId(after.id) } }],
  };
  const { items, nextCursor } = await readPage(
    query,
    (limit) =>
      AssistantRunModel.find({ site, ...(failed && { outcome: 'handedOver' }), ...behind })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean<AssistantRunDoc[]>(),
    (run) => timeCursor(run.at, run._id.toHexString()),
  );
  return { runs: items.map(runView), nextCursor };
}

/** A run as the team sees it. */
function runView({ _id, site, chat, at, ...run }: AssistantRunDoc): AssistantRun {
  return { _id: _id.toHexString(), chatId: chat.toHexString(), at: at.toISOString(), ...run };
}

/** Removes what was kept of deleted chats. @returns a disposer */
export function forgetRuns(): () => void {
  return events.on('chatErased', async ({ chatId }) => {
    await AssistantRunModel.deleteMany({ chat: chatId });
  });
}

/** Removes the runs of a deleted site. */
export async function purgeRuns(site: Types.ObjectId): Promise<void> {
  await AssistantRunModel.deleteMany({ site });
}
