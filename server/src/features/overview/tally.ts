import type { Types } from 'mongoose';
import { type ChatDoc, type TurnDoc, turnsOf } from '#features/chats';
import { DAY_MS } from '#platform/time';
import { bucketOf } from './median.ts';
import { type AgentCounts, ALL_SITES, ALL_TIME, type CountedDoc, type Growth, NOBODY } from './model.ts';

const QUARTER_MS = 900_000;
/** The name of the last quarter of an hour of a day. */
export const LAST_SLOT = 'h95';

/** What the figures count of a chat. */
export type Counted = Omit<CountedDoc, 'applied' | 'goneAt'>;

/** Whose a chat, or a turn of it, is. */
interface WhoHadIt {
  agent: Types.ObjectId | null;
  department?: Types.ObjectId | null;
}

/** The UTC day of a moment. */
export const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
/** When a quarter of an hour of a UTC day begins, from its name. */
export const slotStart = (day: string, name: string) =>
  Date.parse(`${day}T00:00:00Z`) + Number(name.slice(1)) * QUARTER_MS;

const slotOf = (at: number) => Math.floor((at % DAY_MS) / QUARTER_MS);

/**
 * What is to be counted of a chat; null: nothing, because it is a machine's, was imported, or has no message.
 * @param before what is counted of it: a visitor who was named once stays counted
 */
export function countedOf(chat: ChatDoc, before: Counted | null): Counted | null {
  if (chat.bot || chat.importKey !== undefined || chat.lastSeq === 0) return null;
  const turns = turnsOf(chat);
  return {
    _id: chat._id,
    site: chat.site,
    begunAt: chat.createdAt,
    answeredAt: chat.firstResponseAt ?? null,
    answeredBy: chat.firstResponseBy ?? null,
    department: chat.department ?? null,
    missedAt: missedAt(chat, turns),
    turns,
    isNamed: chat.visitorInfo.name !== null || before?.isNamed === true,
  };
}

/** When a chat was closed that nobody, nor the assistant, has answered; null: it is open, or was answered. */
function missedAt({ firstResponseAt, assistant }: ChatDoc, turns: TurnDoc[]): Date | null {
  const isAnswered = firstResponseAt !== undefined || (assistant?.answers ?? 0) > 0;
  return isAnswered ? null : (turns.at(-1)?.closedAt ?? null);
}

/** By how much the figures change when this is counted of chats instead of that. */
export function growthsOf(changes: { before: Counted | null; after: Counted | null }[]): Growth[] {
  const growths = new Map<string, Growth>();
  for (const { before, after } of changes) {
    if (before) addTo(growths, before, -1);
    if (after) addTo(growths, after, 1);
  }
  return [...growths.values()].flatMap(({ site, day, by }) => {
    const changed = by.filter(({ more }) => more !== 0);
    return changed.length > 0 ? [{ site, day, by: changed }] : [];
  });
}

/** A chat that an agent began has no response time: its answer counts nowhere. */
function addTo(growths: Map<string, Growth>, counted: Counted, more: number): void {
  const begun = counted.begunAt.getTime();
  const answered = counted.answeredAt?.getTime() ?? 0;
  const isAnswered = answered > begun;
  const wait = `b${bucketOf(answered - begun)}`;
  const growOf = (whose: Types.ObjectId) => (day: string, figure: string) => {
    const key = `${whose.toHexString()}:${day}`;
    const growth = growths.get(key) ?? { site: whose, day, by: [] };
    growths.set(key, growth);
    const existing = growth.by.find((one) => one.figure === figure);
    if (existing) existing.more += more;
    else growth.by.push({ figure, more });
  };
  for (const whose of [counted.site, ALL_SITES]) {
    const grow = growOf(whose);
    grow(ALL_TIME, 'chats');
    if (counted.isNamed) grow(ALL_TIME, 'named');
    grow(utcDay(begun), `begun.h${slotOf(begun)}`);
    if (isAnswered) grow(utcDay(answered), `answered.h${slotOf(answered)}.${wait}`);
  }
  const grow = growOf(counted.site);
  const growDepartment = (department: Types.ObjectId | null | undefined, at: number, figure: string) => {
    if (department) grow(utcDay(at), `departments.${department.toHexString()}.${figure}`);
  };
  const growAgent = ({ agent, department }: WhoHadIt, what: keyof AgentCounts, at: number, bucket: string) => {
    const figure = `by.${agent?.toHexString() ?? NOBODY}.${what}.h${slotOf(at)}.${bucket}`;
    grow(utcDay(at), figure);
    growDepartment(department, at, figure);
  };
  growDepartment(counted.department, begun, `begun.h${slotOf(begun)}`);
  const missed = counted.missedAt?.getTime();
  if (missed) growDepartment(counted.department, missed, `missed.h${slotOf(missed)}`);
  const first = { agent: counted.answeredBy, department: counted.department };
  if (isAnswered) growAgent(first, 'answered', answered, wait);
  for (const turn of counted.turns) {
    const { openedAt, closedAt, score, ratedAt } = turn;
    const took = (closedAt?.getTime() ?? 0) - openedAt.getTime();
    if (closedAt) growAgent(turn, 'resolved', closedAt.getTime(), `b${bucketOf(took)}`);
    if (ratedAt) growAgent(turn, 'ratings', ratedAt.getTime(), `s${score}`);
  }
}
