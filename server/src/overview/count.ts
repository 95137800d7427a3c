import type { Types } from 'mongoose';
import type { ChatStatus } from '../chats/contract.ts';
import { readByTime } from '../chats/lists.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { events } from '../events.ts';
import type { PageQuery } from '../http/contract.ts';
import type { PageOf } from '../http/pager.ts';
import { ProgressModel } from '../search/model.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { DAY_MS } from '../time.ts';
import { bucketOf } from './median.ts';
import { ALL_SITES, ALL_TIME, FigureModel } from './model.ts';

/**
 * The id of the mark that says which version of the figures is complete. Change the number when other figures are counted:
 * the next start then counts everything again.
 */
const MARK = 'figures:2';
const BATCH = 200;

/**
 * Empties the figures if they were never counted or their mark was removed, so that counting starts from zero.
 * @returns whether `rebuildFigures` must count what happened before
 */
export async function prepareFigures(): Promise<boolean> {
  if (await ProgressModel.exists({ _id: MARK })) return false;
  await FigureModel.deleteMany({});
  return true;
}

/**
 * Counts all chats that began before `until`, batch by batch, while newer ones are counted as they come. The mark is written
 * last, so after a crash the next start begins again.
 */
export async function rebuildFigures(until: Date, signal: AbortSignal): Promise<void> {
  for await (const site of SiteModel.find({ deletedAt: null }, { _id: 1 }).lean<SiteDoc[]>().cursor()) {
    await record(site._id, await tallySite(site, until, signal));
    if (signal.aborted) return;
  }
  await ProgressModel.updateOne({ _id: MARK }, { $set: { at: until } }, { upsert: true });
}

async function tallySite({ _id: site }: Pick<SiteDoc, '_id'>, until: Date, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = new Map();
  const statuses: ChatStatus[] = ['waiting', 'active', 'closed'];
  const begun = { site, bot: false, status: { $in: statuses }, createdAt: { $lt: until } };
  let query: PageQuery | null = { limit: BATCH };
  while (query !== null && !signal.aborted) {
    const { items, nextCursor }: PageOf<ChatDoc> = await readByTime('createdAt', query, (behind) => ({
      $and: [begun, behind],
    }));
    const chats = items.filter(({ lastSeq }) => lastSeq > 0);
    const responses = await findResponses(chats);
    for (const chat of chats) {
      tallyBegun(tally, chat);
      if (chat.visitorInfo.name !== null) tallyNamed(tally);
      const firstResponseAt = chat.firstResponseAt ?? responses.get(chat._id.toHexString());
      if (firstResponseAt) tallyAnswered(tally, { ...chat, firstResponseAt });
    }
    await remember(chats, responses);
    query = nextCursor === null ? null : { limit: BATCH, cursor: nextCursor };
  }
  return tally;
}

/** Finds the first response of chats that have no `firstResponseAt` yet, by hex id. */
async function findResponses(chats: ChatDoc[]): Promise<Map<string, Date>> {
  const open = chats.filter(({ firstResponseAt }) => !firstResponseAt);
  const responses = new Map<string, Date>();
  if (open.length === 0) return responses;
  const messages = await MessageModel.find(
    { chat: { $in: open.map(({ _id }) => _id) }, sender: 'agent' },
    { chat: 1, seq: 1, createdAt: 1 },
  )
    .sort({ seq: -1 })
    .lean<MessageDoc[]>();
  for (const { chat, createdAt } of messages) responses.set(chat.toHexString(), createdAt);
  return responses;
}

/** Stores on the chats what was counted of them, so that it is not counted twice. */
async function remember(chats: ChatDoc[], responses: Map<string, Date>): Promise<void> {
  const named = chats.filter((chat) => chat.visitorInfo.name !== null && !chat.named).map(({ _id }) => _id);
  if (named.length > 0) await ChatModel.updateMany({ _id: { $in: named } }, { $set: { named: true } });
  for (const [_id, firstResponseAt] of responses)
    await ChatModel.updateOne({ _id, firstResponseAt: null }, { $set: { firstResponseAt } });
}

const HALF_HOUR_MS = 1_800_000;

/** By how much each figure of a day grows. */
export type Growth = Record<string, number>;
/** The growth of each day. */
export type Tally = Map<string, Growth>;

/** The UTC day of a moment. */
export const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
/** When a half hour of a UTC day begins, from the name of the half hour. */
export const slotStart = (day: string, name: string) =>
  Date.parse(`${day}T00:00:00Z`) + Number(name.slice(1)) * HALF_HOUR_MS;

const slotOf = (at: number) => Math.floor((at % DAY_MS) / HALF_HOUR_MS);

/** Counts a chat that began; with `by` -1 it takes a deleted chat out again. */
export function tallyBegun(tally: Tally, { createdAt }: ChatDoc, by = 1): void {
  const at = createdAt.getTime();
  grow(tally, utcDay(at), `begun.h${slotOf(at)}`, by);
  grow(tally, ALL_TIME, 'chats', by);
}

/** Counts a chat that has a visitor's name. */
function tallyNamed(tally: Tally, by = 1): void {
  grow(tally, ALL_TIME, 'named', by);
}

/**
 * Counts the first response of a chat, at `firstResponseAt`. A chat that an agent began has no first response and is counted
 * nowhere.
 */
export function tallyAnswered(tally: Tally, { createdAt, firstResponseAt }: ChatDoc, by = 1): void {
  const at = firstResponseAt?.getTime() ?? 0;
  const ms = at - createdAt.getTime();
  if (ms > 0) grow(tally, utcDay(at), `answered.h${slotOf(at)}.b${bucketOf(ms)}`, by);
}

function grow(tally: Tally, day: string, figure: string, by: number): void {
  const growth = tally.get(day) ?? {};
  growth[figure] = (growth[figure] ?? 0) + by;
  tally.set(day, growth);
}

/** Adds a tally to the figures of a site, and to those of all sites. */
export async function record(site: Types.ObjectId, tally: Tally): Promise<void> {
  for (const [day, growth] of tally) {
    for (const whose of [site, ALL_SITES])
      await FigureModel.updateOne({ site: whose, day }, { $inc: growth }, { upsert: true });
  }
}

/** The background work that keeps the figures up to date. */
interface Counting {
  /** Counts the events that have arrived, and ends. */
  stop(): Promise<void>;
}

/** Keeps the figures up to date from now on. If they were never counted, the past is counted in the background. */
export async function startFigures(): Promise<Counting> {
  const stopping = new AbortController();
  const until = new Date();
  const missing = await prepareFigures();
  const counting = startCounting();
  const rebuilt = missing ? rebuildFigures(until, stopping.signal) : Promise.resolve();
  const rebuilding = rebuilt.catch((error) => events.fail(error, 'figures'));
  return {
    async stop() {
      stopping.abort();
      await Promise.all([counting.stop(), rebuilding]);
    },
  };
}

/**
 * Updates the figures (a projection) from the events of chats, after the commit. No transition is counted twice: its event
 * is emitted once, or a field that is set once guards it. A crash may lose a handful of events that were committed and not
 * counted yet; `rebuildFigures` corrects that.
 */
function startCounting(): Counting {
  const running = new Set<Promise<void>>();

  function count(chat: ChatDoc, work: (tally: Tally) => void | Promise<void>): void {
    if (chat.bot) return;
    const run = counted(chat, work)
      .catch((error) => events.fail(error, 'figures'))
      .finally(() => running.delete(run));
    running.add(run);
  }

  const stopListening = events.stopAll([
    events.on('chatOpened', ({ chat }) => count(chat, (tally) => tallyBegun(tally, chat))),
    events.on('chatChanged', ({ chat }) => {
      if (chat.visitorInfo.name !== null && !chat.named && chat.lastSeq > 0) count(chat, (tally) => named(tally, chat));
    }),
    events.on('messageAdded', ({ chat, message }) => {
      if (message.sender === 'agent' && !chat.firstResponseAt) count(chat, (tally) => answered(tally, chat, message));
    }),
    events.on('chatRemoved', ({ chat }) => {
      if (chat.lastSeq > 0) count(chat, (tally) => tallyGone(tally, chat));
    }),
  ]);

  return {
    async stop() {
      stopListening();
      await Promise.all(running);
    },
  };
}

async function counted(chat: ChatDoc, work: (tally: Tally) => void | Promise<void>): Promise<void> {
  const tally: Tally = new Map();
  await work(tally);
  await record(chat.site, tally);
}

async function named(tally: Tally, { _id }: ChatDoc): Promise<void> {
  const { modifiedCount } = await ChatModel.updateOne({ _id, named: { $ne: true } }, { $set: { named: true } });
  if (modifiedCount === 1) tallyNamed(tally);
}

/**
 * Counts the first response of a chat, once. `seq` 1 means that an agent began the chat: no visitor waited, so the response
 * time is zero.
 */
async function answered(tally: Tally, chat: ChatDoc, { seq, createdAt }: MessageDoc): Promise<void> {
  const firstResponseAt = seq === 1 ? chat.createdAt : createdAt;
  const { modifiedCount } = await ChatModel.updateOne(
    { _id: chat._id, firstResponseAt: null },
    { $set: { firstResponseAt } },
  );
  if (modifiedCount === 1) tallyAnswered(tally, { ...chat, firstResponseAt });
}

function tallyGone(tally: Tally, chat: ChatDoc): void {
  tallyBegun(tally, chat, -1);
  tallyAnswered(tally, chat, -1);
  if (chat.named) tallyNamed(tally, -1);
}
