import type { Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { memberOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { can } from '../team/contract.ts';
import type { AssignDeps } from './deps.ts';

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
export async function freeMembers(site: SiteDoc, { presence }: AssignDeps): Promise<FreeMember[]> {
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
export function hasRoom({ unopened }: FreeMember): boolean {
  return unopened < UNOPENED_MAX;
}

/** Members take turns: of equals, whoever was given a chat longest ago is next. */
export interface Turns {
  /** Who is to have this chat: of those who have not let it go, the one with the fewest open ones; null: nobody. */
  next(members: FreeMember[], chat: ChatDoc): FreeMember | null;
  /** Writes down that the member was given a chat. */
  given(member: FreeMember): void;
}

/** Turns within this process: which of two equals begins is no matter. */
export function createTurns(): Turns {
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
