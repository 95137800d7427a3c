import type { QueryFilter, Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { type ChatDoc, ChatModel, type ChatOfSite, handBack, outboxUpdate, SET_UPDATED_AT } from '#features/chats';
import type { Presence } from '#features/presence';
import {
  type DepartmentDoc,
  departmentIsOnline,
  departmentsOf,
  isOnlineFor,
  membersOfDepartment,
  repliersFor,
  repliersOf,
  type SiteDoc,
  SiteModel,
  siteIsOnline,
} from '#features/sites';
import type { Lease } from '#platform/cluster';
import { events } from '#platform/events';
import { MINUTE_MS } from '#platform/time';
import { enqueueUnawaited } from '#platform/work';

/**
 * Dependencies of the assignment besides the store. All other state is in the chats, and each step is one conditional
 * write, so that a node that has just lost the lease does no harm.
 */
export interface AssignDeps {
  presence: Pick<Presence, 'agentIsOnline' | 'agentIsConnected' | 'agentsOnline'>;
  /** The ids of the members who have a chat open. */
  viewersOf: (chat: ChatDoc) => Set<string>;
  now: () => number;
  /** Only the node that has it assigns chats. */
  lease: Lease;
}

/** Maximum number of assigned, unopened chats per member; further ones wait in the queue. */
const UNOPENED_MAX = 5;
/** Every assigned chat that is still unopened has this field. */
const UNOPENED = { assignedUntil: { $gt: new Date(0) } };

/** A member who is available for new chats. */
export interface FreeMember {
  _id: Types.ObjectId;
  /** Number of open chats on all sites, without snoozed ones. */
  open: number;
  unopened: number;
}

/** The members of a site who are present, may answer, and have room for a chat. @param among only these */
async function freeMembers(site: SiteDoc, { presence }: AssignDeps, among = repliersOf(site)): Promise<FreeMember[]> {
  const there = among.filter((user) => presence.agentIsOnline(user.toHexString()));
  const [unopened, ...open] = await Promise.all([
    ChatModel.find({ ...UNOPENED, claimedBy: { $in: there } }, { claimedBy: 1 }).lean<ChatDoc[]>(),
    ...there.map((claimedBy) => ChatModel.countDocuments({ claimedBy, open: true, snoozedUntil: null })),
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

/** Turn order (round robin): among equals, the member who got a chat longest ago is next. */
export interface RoundRobin {
  /** Chooses the member for this chat: of those who have not let it go, the one with the fewest open chats; null: none. */
  next(members: FreeMember[], chat: ChatDoc): FreeMember | null;
  /** Records that the member got a chat. */
  given(member: FreeMember): void;
}

/** Kept in this process only: which of two equals is first does not matter. */
export function createRoundRobin(): RoundRobin {
  const last = new Map<string, number>();
  let turn = 0;
  const lastOf = ({ _id }: FreeMember) => last.get(_id.toHexString()) ?? 0;
  return {
    next(members, { claimedBy, passedBy = [] }) {
      const had = [...passedBy, ...(claimedBy ? [claimedBy] : [])];
      const candidates = members.filter(({ _id }) => !had.some((id) => id.equals(_id)));
      return candidates.sort((a, b) => a.open - b.open || lastOf(a) - lastOf(b))[0] ?? null;
    },
    given(member) {
      last.set(member._id.toHexString(), ++turn);
    },
  };
}

/**
 * Lease of an assignment: a chat that its claimer has not opened and no one has answered by then goes to the next member. Who
 * has it open already needs none.
 */
export const OPEN_WITHIN_MS = 60_000;

/**
 * Assigns a chat to a member if it is unchanged since it was read (optimistic locking): a claim by hand or a close that
 * came first wins.
 * @returns whether it was assigned
 */
async function assignTo({ chat, site }: ChatOfSite, member: FreeMember, deps: AssignDeps): Promise<boolean> {
  const [{ _id }, now] = [member, deps.now()];
  const isOpened = deps.viewersOf(chat).has(_id.toHexString());
  const { fields, ...outbox } = outboxUpdate({ chat, site }, 'chat.claimed', {
    by: _id,
    from: chat.claimedBy,
    how: 'assigned',
  });
  const given = await ChatModel.findOneAndUpdate(
    {
      _id: chat._id,
      open: true,
      claimedBy: chat.claimedBy,
      assignedUntil: chat.assignedUntil ?? null,
      department: chat.department ?? null,
    },
    {
      $set: {
        claimedBy: _id,
        status: 'active',
        assignedAt: new Date(now),
        ...(!isOpened && { assignedUntil: new Date(now + OPEN_WITHIN_MS) }),
        ...fields,
      },
      ...(isOpened && { $unset: { assignedUntil: 1 } }),
      ...outbox,
      ...SET_UPDATED_AT,
      ...(chat.claimedBy ? { $addToSet: { passedBy: chat.claimedBy } } : {}),
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!given) return false;
  member.open++;
  if (!isOpened) member.unopened++;
  const person = (await peopleById([_id])).get(_id.toHexString());
  const claimer = { _id: _id.toHexString(), name: person?.name ?? '' };
  enqueueUnawaited(chat._id.toHexString(), async () => {
    await events.emit('chatClaimed', { chat: given, site, claimer, byHand: false });
    await events.emit('chatChanged', { chat: given, site });
  });
  return true;
}

/** What is left of a site's queue: `nothing` for the members present, or chats that are `held` and need a new check later. */
type Left = 'nothing' | 'held';

/**
 * Assigns a site's waiting chats, oldest first, each to the member with the fewest open chats: those of a department to its members
 * until others help. While nobody is shown as online for them, they wait.
 */
export async function assignWaiting(siteId: string, roundRobin: RoundRobin, deps: AssignDeps): Promise<Left> {
  const site = await SiteModel.findOne({ _id: siteId, deletedAt: null }).lean<SiteDoc>();
  if (!site?.settings.autoAssign || !(await ChatModel.exists(waiting(site)))) return 'nothing';
  const queues = queuesOf(site, deps);
  if (queues.length === 0) return 'held';
  const members = await freeMembers(site, deps);
  const lost: Types.ObjectId[] = [];
  for (;;) {
    const free = members.filter(hasRoom);
    if (free.length === 0) return 'held';
    const next = await nextToAssign(queues, free, lost, roundRobin);
    // Of a department, others may help later, or its hours begin.
    if (!next) return departmentsOf(site).length > 0 ? 'held' : 'nothing';
    if (await assignTo({ chat: next.chat, site }, next.member, deps)) roundRobin.given(next.member);
    else lost.push(next.chat._id);
  }
}

/** Waiting chats that the same members are given. */
interface Queue {
  filter: QueryFilter<ChatDoc>;
  isMember: (member: FreeMember) => boolean;
}

/** The queues of a site for which somebody is online: one of each department, and one of the chats that everybody is given. */
function queuesOf(site: SiteDoc, { presence, now }: AssignDeps): Queue[] {
  const at = now();
  const all = waiting(site);
  // With members: otherwise everybody is in charge.
  const departments = departmentsOf(site).filter((each) => membersOfDepartment(site, each).length > 0);
  const queues = departments
    .filter((each) => departmentIsOnline(site, each, presence, at))
    .map((each) => ({
      filter: { ...all, department: each._id },
      isMember: ({ _id }: FreeMember) => each.members.some((id) => id.equals(_id)),
    }));
  if (!siteIsOnline(site, presence, at)) return queues;
  return [...queues, { filter: { ...all, ...forEverybody(departments, at) }, isMember: () => true }];
}

/** The filter for chats of no department, and for those in which others help by now. */
function forEverybody(departments: DepartmentDoc[], at: number): QueryFilter<ChatDoc> {
  if (departments.length === 0) return {};
  const helped = departments.flatMap(({ _id, helpAfterMinutes }) => {
    if (helpAfterMinutes === null) return [];
    const since = new Date(at - helpAfterMinutes * MINUTE_MS);
    return { department: _id, createdAt: { $lte: since }, queuedAt: { $not: { $gt: since } } };
  });
  return { $or: [{ department: { $nin: departments.map(({ _id }) => _id) } }, ...helped] };
}

/** The longest waiting chat of all queues that a free member can be given, and that member; null: none. */
async function nextToAssign(queues: Queue[], free: FreeMember[], lost: Types.ObjectId[], roundRobin: RoundRobin) {
  const heads = await Promise.all(
    queues.map(async ({ filter, isMember }) => {
      const members = free.filter(isMember);
      const chat = members.length > 0 ? await oldestFor(members, filter, lost) : null;
      const member = chat && roundRobin.next(members, chat);
      return chat && member ? [{ chat, member }] : [];
    }),
  );
  return heads.flat().sort((a, b) => a.chat.createdAt.getTime() - b.chat.createdAt.getTime())[0] ?? null;
}

/**
 * Filter of a site's queue, supported by an index; chats of machines and blocked visitors, snoozed ones and those of the assistant
 * are not assigned.
 */
function waiting({ _id }: SiteDoc) {
  const isFree = { status: 'waiting' as const, blocked: false, snoozedUntil: null, assisted: null };
  return { site: _id, bot: false, ...isFree, lastSeq: { $gt: 0 } };
}

/** The longest waiting chat that at least one of these members has not let go. */
function oldestFor(
  members: FreeMember[],
  filter: QueryFilter<ChatDoc>,
  lost: Types.ObjectId[],
): Promise<ChatDoc | null> {
  const all = members.map(({ _id }) => _id);
  return ChatModel.findOne({ ...filter, _id: { $nin: lost }, passedBy: { $not: { $all: all } } })
    .sort({ createdAt: 1, _id: 1 })
    .lean<ChatDoc>()
    .exec();
}

/** Makes chats that the member let go available to the member again, after a new connection. */
export async function offerDeclinedAgain(site: SiteDoc, userId: string): Promise<void> {
  await ChatModel.updateMany({ ...waiting(site), passedBy: userId }, { $pull: { passedBy: userId } });
}

const REASSIGNED_AT_ONCE = 100;

/** Moves assigned chats that were not opened or answered in time to the next member; after all members had it, a chat waits. */
export async function reassign(roundRobin: RoundRobin, deps: AssignDeps): Promise<void> {
  const due = await ChatModel.find({ assignedUntil: { $gt: new Date(0), $lte: new Date(deps.now()) } })
    .sort({ assignedUntil: 1 })
    .limit(REASSIGNED_AT_ONCE)
    .lean<ChatDoc[]>();
  for (const chat of due) await reassignOne(chat, roundRobin, deps).catch((error) => events.fail(error, 'assignment'));
}

/** When the next assigned chat must have been opened, in milliseconds; infinite: all are opened. */
export async function nextReassignment(): Promise<number> {
  const next = await ChatModel.findOne(UNOPENED, { assignedUntil: 1 }).sort({ assignedUntil: 1 }).lean<ChatDoc>();
  return next?.assignedUntil?.getTime() ?? Number.POSITIVE_INFINITY;
}

async function reassignOne(chat: ChatDoc, roundRobin: RoundRobin, deps: AssignDeps): Promise<void> {
  const claimer = chat.claimedBy?.toHexString() ?? '';
  const site = await SiteModel.findOne({ _id: chat.site, deletedAt: null }).lean<SiteDoc>();
  if (!site || !chat.open || deps.viewersOf(chat).has(claimer)) return endAssignmentLease(chat, claimer);
  const at = deps.now();
  const takesPart = site.settings.autoAssign && isOnlineFor(site, chat, deps.presence, at);
  const next = takesPart ? roundRobin.next(await freeMembers(site, deps, repliersFor(site, chat, at)), chat) : null;
  if (!next) await handBack({ chat, site }, { assignedUntil: chat.assignedUntil ?? null });
  else if (await assignTo({ chat, site }, next, deps)) roundRobin.given(next);
}

/** Ends the lease: the claimer has opened the chat, so it stays with the claimer. */
export async function endAssignmentLease({ _id }: ChatDoc, claimedBy: string): Promise<void> {
  await ChatModel.updateOne({ _id, claimedBy }, { $unset: { assignedUntil: 1 } });
}
