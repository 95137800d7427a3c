import { type QueryFilter, Schema, Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '#features/chats';
import { eachSite, rulesOf } from '#features/sites';
import { defineModel, deleteInBatches } from '#platform/database';
import { readPage, timeBehind, timeCursor } from '#platform/http';
import type { Page, PageQuery } from '#platform/http/contract';
import { DAY_S } from '#platform/time';
import { type WorkDoc, workFields } from '#platform/work';
import { RULE_LOG_DAYS, type RuleEvent, type RuleRun } from './contract.ts';

/** A rule that applies to a chat: the work, and afterwards the entry of the log. It holds ids only, nothing that was said. */
export interface RuleRunDoc extends WorkDoc {
  _id: Types.ObjectId;
  /** Made from the rule and what happened, so that one event is work once. */
  key: string;
  site: Types.ObjectId;
  /** The rule by the name that it had. */
  rule: RuleRun['rule'];
  event: RuleEvent;
  chat: Types.ObjectId;
  visitor: Types.ObjectId;
  /** The visitor's message that it is about. */
  message?: Types.ObjectId;
  /** Of work that waits for its time: since when the visitor has had no answer. */
  waitingSince?: Date;
  /** The ordering key: of the work for one chat, one is under way at a time, in this order. What waits for its time has its own. */
  lane: string;
  order: number;
  /** When it happened. */
  at: Date;
  /** What it was to do then; with an outcome, what is done of it. */
  actions: (Pick<RuleRun['actions'][number], 'action'> & Partial<RuleRun['actions'][number]>)[];
  doneAt?: Date;
}

/** Entries that are kept of the log of a site. */
const LOG_KEPT = 2_000;
/** Longer than any work waits, so that the work itself goes with what it is about. */
const KEPT_S = RULE_LOG_DAYS * DAY_S;

const runSchema = new Schema<RuleRunDoc>(
  {
    key: { type: String, required: true, unique: true },
    site: { type: Schema.Types.ObjectId, required: true },
    rule: { type: new Schema({ _id: String, name: String }, { _id: false }), required: true },
    event: { type: String, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    visitor: { type: Schema.Types.ObjectId, required: true },
    message: { type: Schema.Types.ObjectId },
    waitingSince: { type: Date },
    lane: { type: String, required: true },
    order: { type: Number, required: true },
    at: { type: Date, required: true },
    actions: { type: [Schema.Types.Mixed], default: [] } as never,
    ...workFields,
    doneAt: { type: Date },
  },
  { versionKey: false },
);
const WAITING = { partialFilterExpression: { dueAt: { $exists: true } } };
runSchema.index({ site: 1, dueAt: 1 }, WAITING);
runSchema.index({ site: 1, lane: 1, order: 1 }, WAITING);
const DONE = { partialFilterExpression: { doneAt: { $exists: true } } };
runSchema.index({ site: 1, doneAt: -1, _id: -1 }, DONE);
runSchema.index({ site: 1, 'rule._id': 1, doneAt: -1, _id: -1 }, { name: 'of_rule', ...DONE });
runSchema.index({ chat: 1 });
runSchema.index({ doneAt: 1 }, { expireAfterSeconds: KEPT_S });
export const RuleRunModel = defineModel<RuleRunDoc>('RuleRun', runSchema, 'ruleRuns');

/** Removes what rules did, and were to do, on a deleted site. */
export async function purgeRuleRuns(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(RuleRunModel, { site }, signal);
}

/** A page of what rules did on a site, newest first; of one rule, or of all. @throws AppError 400 for an invalid cursor */
export async function runsOfSite(
  site: Types.ObjectId,
  { rule, ...query }: PageQuery & { rule?: string },
): Promise<{ runs: RuleRun[] } & Page> {
  const after = query.cursor === undefined ? null : timeBehind(query.cursor);
  const behind = after && {
    $or: [{ doneAt: { $lt: after.at } }, { doneAt: after.at, _id: { $lt: new Types.ObjectId(after.id) } }],
  };
  const { items, nextCursor } = await readPage(
    query,
    (limit) =>
      RuleRunModel.find({
        site,
        doneAt: after ? { $lte: after.at } : { $exists: true },
        ...(rule && { 'rule._id': rule.toLowerCase() }),
        ...behind,
      })
        .sort({ doneAt: -1, _id: -1 })
        .limit(limit)
        .lean<RuleRunDoc[]>(),
    (run) => timeCursor(run.doneAt ?? run.at, run._id.toHexString()),
  );
  const names = await namesOf(items);
  return { runs: items.map((run) => runView(run, names)), nextCursor };
}

/** Whom the chats are with, as they are called now. */
async function namesOf(runs: RuleRunDoc[]): Promise<Map<string, string | null>> {
  const chats = await ChatModel.find({ _id: { $in: runs.map(({ chat }) => chat) } }, { 'visitorInfo.name': 1 }).lean<
    ChatDoc[]
  >();
  return new Map(chats.map(({ _id, visitorInfo }) => [_id.toHexString(), visitorInfo.name]));
}

function runView({ _id, rule, chat, at, actions }: RuleRunDoc, names: Map<string, string | null>): RuleRun {
  const chatId = chat.toHexString();
  return {
    _id: _id.toHexString(),
    rule,
    chatId,
    visitorName: names.get(chatId) ?? null,
    at: at.toISOString(),
    actions: actions.map(({ action, outcome = 'failed' }) => ({ action, outcome })),
  };
}

/** Removes what waits for its time, because there was an answer, or its rule waits no more. */
export async function forgetWaits(of: QueryFilter<RuleRunDoc>): Promise<void> {
  const waits = { waitingSince: { $exists: true }, dueAt: { $exists: true }, takes: null };
  await RuleRunModel.deleteMany({ ...of, ...waits } as QueryFilter<RuleRunDoc>);
}

/** Deletes the oldest entries of logs that have become too long. */
export function shortenLogs(_now: number, signal: AbortSignal): Promise<void> {
  return eachSite(signal, async (site) => {
    if (rulesOf(site).length === 0) return;
    const done = { site: site._id, doneAt: { $exists: true } };
    const [first] = await RuleRunModel.find(done, { doneAt: 1 }).sort({ doneAt: -1 }).skip(LOG_KEPT).limit(1).lean();
    if (first?.doneAt) await deleteInBatches(RuleRunModel, { site: site._id, doneAt: { $lte: first.doneAt } }, signal);
  });
}
