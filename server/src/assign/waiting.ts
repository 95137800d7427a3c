import type { Types } from 'mongoose';
import { peopleById } from '../auth/view.ts';
import type { ChatOfSite } from '../chats/guards.ts';
import { afterwards } from '../chats/keyedQueue.ts';
import { type ChatDoc, ChatModel, TOUCHED } from '../chats/model.ts';
import { handBack } from '../chats/transfer.ts';
import { events } from '../events.ts';
import type { Presence } from '../presence/presence.ts';
import { memberOf } from '../sites/guards.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { siteIsOnline } from '../sites/officeHours.ts';
import { can } from '../team/contract.ts';

/**
 * What handing out works with besides the store. All else that it goes by stands in the chats, and each step is one
 * guarded write: several nodes may do it side by side.
 */
export interface AssignDeps {
  presence: Pick<Presence, 'agentIsOnline' | 'agentIsConnected'>;
  /** The ids of those who have a chat open. */
  viewersOf: (chat: ChatDoc) => Promise<Set<string>>;
  /** Milliseconds */
  now: () => number;
}

/** So many chats may lie unopened before one member; the others wait in the queue. */
const UNOPENED_MAX = 5;
/** Every assigned chat that is still unopened has this set. */
const UNOPENED = { assignedUntil: { $gt: new Date(0) } };

/** A member who is there to be given chats. */
export interface FreeMember {
  _id: Types.ObjectId;
  /** Open chats on all sites. */
  open: number;
  unopened: number;
}

/** The members of a site who are there, may answer, and have not their hands full. */
async function freeMembers(site: SiteDoc, { presence }: AssignDeps): Promise<FreeMember[]> {
  const there = site.team.flatMap(({ user }) => {
    const member = memberOf(site, user);
    return member && can(member, 'chats.reply') && presence.agentIsOnline(user.toHexString()) ? [user] : [];
  });
  const [unopened, ...open] = await Promise.all([
    ChatModel.find({ ...UNOPENED, claimedBy: { $in: there } }, { claimedBy: 1 }).lean<ChatDoc[]>(),
    ...there.map((claimedBy) => ChatModel.countDocuments({ claimedBy, open: true })),
  ]);
  const members = there.map((_id, i) => ({
    _id,
    open: open[i] ?? 0,
    unopened: unopened.filter(({ claimedBy }) => claimedBy?.equals(_id)).length,
  }));
  return members.filter(hasRoom);
}

/** Whether the member can be given another chat. */
function hasRoom({ unopened }: FreeMember): boolean {
  return unopened < UNOPENED_MAX;
}

/** Members take turns: of equals, whoever was given a chat longest ago is next. */
export interface RoundRobin {
  /** Who is to have this chat: of those who have not let it go, the one with the fewest open ones; null: nobody. */
  next(members: FreeMember[], chat: ChatDoc): FreeMember | null;
  /** Writes down that the member was given a chat. */
  given(member: FreeMember): void;
}

/** Kept within this process: which of two equals begins is no matter. */
export function createRoundRobin(): RoundRobin {
  const last = new Map<string, number>();
  let turn = 0;
  const lastOf = ({ _id }: FreeMember) => last.get(_id.toHexString()) ?? 0;
  return {
    next(members, { claimedBy, passedBy = [] }) {
      const had = [...passedBy, ...(claimedBy ? [claimedBy] : [])];
      const asked = members.filter(({ _id }) => !had.some((id) => id.equals(_id)));
      return asked.sort((a, b) => a.open - b.open || lastOf(a) - lastOf(b))[0] ?? null;
    },
    given(member) {
      last.set(member._id.toHexString(), ++turn);
      member.open++;
      member.unopened++;
    },
  };
}

/** An assigned chat that its claimer has not opened by then, and nobody answered, goes to the next. */
export const OPEN_WITHIN_MS = 60_000;

/**
 * Gives a chat to a member, if it is still as it was read: whoever claims it by hand or closes it first wins.
 * @param now milliseconds
 * @returns whether it was given
 */
async function assignTo({ chat, site }: ChatOfSite, { _id }: FreeMember, now: number): Promise<boolean> {
  const given = await ChatModel.findOneAndUpdate(
    { _id: chat._id, open: true, claimedBy: chat.claimedBy, assignedUntil: chat.assignedUntil ?? null },
    {
      $set: {
        claimedBy: _id,
        status: 'active',
        assignedAt: new Date(now),
        assignedUntil: new Date(now + OPEN_WITHIN_MS),
      },
      ...TOUCHED,
      ...(chat.claimedBy ? { $addToSet: { passedBy: chat.claimedBy } } : {}),
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!given) return false;
  const person = (await peopleById([_id])).get(_id.toHexString());
  const claimer = { _id: _id.toHexString(), name: person?.name ?? '' };
  afterwards(chat._id.toHexString(), async () => {
    await events.emit('chatClaimed', { chat: given, site, claimer, byHand: false });
    await events.emit('chatChanged', { chat: given, site });
  });
  return true;
}

/** What is left of a site's queue: nothing for anybody who is there, or something that has to be looked at again later. */
type Left = 'nothing' | 'held';

/**
 * Hands a site's waiting chats out, oldest first, each to the member with the fewest. While the site says that it is
 * offline, they wait.
 */
export async function assignWaiting(siteId: string, roundRobin: RoundRobin, deps: AssignDeps): Promise<Left> {
  const site = await SiteModel.findOne({ _id: siteId, deletedAt: null }).lean<SiteDoc>();
  if (!site?.settings.autoAssign || !(await ChatModel.exists(waiting(site)))) return 'nothing';
  if (!siteIsOnline(site, deps.presence, deps.now())) return 'held';
  const members = await freeMembers(site, deps);
  const lost: Types.ObjectId[] = [];
  for (;;) {
    const free = members.filter(hasRoom);
    if (free.length === 0) return 'held';
    const chat = await oldestFor(free, site, lost);
    const member = chat && roundRobin.next(free, chat);
    if (!member) return 'nothing';
    if (await assignTo({ chat, site }, member, deps.now())) roundRobin.given(member);
    else lost.push(chat._id);
  }
}

/** A site's queue, as an index carries it; machines and blocked visitors are nobody's to answer. */
function waiting({ _id }: SiteDoc) {
  return { site: _id, bot: false, status: 'waiting' as const, blocked: false, lastSeq: { $gt: 0 } };
}

/** The chat that has waited longest of those that one of these members has not let go already. */
function oldestFor(members: FreeMember[], site: SiteDoc, lost: Types.ObjectId[]): Promise<ChatDoc | null> {
  const all = members.map(({ _id }) => _id);
  return ChatModel.findOne({ ...waiting(site), _id: { $nin: lost }, passedBy: { $not: { $all: all } } })
    .sort({ createdAt: 1, _id: 1 })
    .lean<ChatDoc>()
    .exec();
}

/** Whoever comes anew may be given again what he let go before. */
export async function offerAgain(site: SiteDoc, userId: string): Promise<void> {
  await ChatModel.updateMany({ ...waiting(site), passedBy: userId }, { $pull: { passedBy: userId } });
}

const REASSIGNED_AT_ONCE = 100;

/** Takes assigned chats that nobody opened or answered in time to the next member; once all had it, it waits. */
export async function reassign(roundRobin: RoundRobin, deps: AssignDeps): Promise<void> {
  const due = await ChatModel.find({ assignedUntil: { $gt: new Date(0), $lte: new Date(deps.now()) } })
    .sort({ assignedUntil: 1 })
    .limit(REASSIGNED_AT_ONCE)
    .lean<ChatDoc[]>();
  for (const chat of due) await reassignOne(chat, roundRobin, deps).catch((error) => events.fail(error, 'assignment'));
}

/** Whether any assigned chat has not been opened yet. */
export async function isAnyUnopened(): Promise<boolean> {
  return (await ChatModel.exists({ assignedUntil: { $gt: new Date(0) } })) !== null;
}

async function reassignOne(chat: ChatDoc, roundRobin: RoundRobin, deps: AssignDeps): Promise<void> {
  const claimer = chat.claimedBy?.toHexString() ?? '';
  const site = await SiteModel.findOne({ _id: chat.site, deletedAt: null }).lean<SiteDoc>();
  if (!site || !chat.open || (await deps.viewersOf(chat)).has(claimer)) return keepWithClaimer(chat, claimer);
  const takesPart = site.settings.autoAssign && siteIsOnline(site, deps.presence, deps.now());
  const next = takesPart ? roundRobin.next(await freeMembers(site, deps), chat) : null;
  if (!next) await handBack({ chat, site }, { assignedUntil: chat.assignedUntil ?? null });
  else if (await assignTo({ chat, site }, next, deps.now())) roundRobin.given(next);
}

/** The claimer has seen the chat: it stays. */
export async function keepWithClaimer({ _id }: ChatDoc, claimedBy: string): Promise<void> {
  await ChatModel.updateOne({ _id, claimedBy }, { $unset: { assignedUntil: 1 } });
}
