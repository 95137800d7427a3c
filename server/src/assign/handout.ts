import type { Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import type { AssignDeps } from './deps.ts';
import { give } from './give.ts';
import { type FreeMember, freeMembers, hasRoom, type Turns } from './members.ts';

/** What is left of a site's queue: nothing for anybody who is there, or something that has to be looked at again later. */
type Left = 'nothing' | 'held';

/**
 * Hands a site's waiting chats out, oldest first, each to the member with the fewest. While the site says that it is
 * offline, they wait.
 */
export async function handOut(siteId: string, turns: Turns, deps: AssignDeps): Promise<Left> {
  const site = await SiteModel.findOne({ _id: siteId, deletedAt: null }).lean<SiteDoc>();
  if (!site?.settings.autoAssign || !(await ChatModel.exists(waiting(site)))) return 'nothing';
  if (!siteIsOnline(site, deps.presence, deps.now())) return 'held';
  const members = await freeMembers(site, deps);
  const lost: Types.ObjectId[] = [];
  for (;;) {
    const free = members.filter(hasRoom);
    if (free.length === 0) return 'held';
    const chat = await oldestFor(free, site, lost);
    const member = chat && turns.next(free, chat);
    if (!member) return 'nothing';
    if (await give({ chat, site }, member, deps.now())) turns.given(member);
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
export async function askAnew(site: SiteDoc, userId: string): Promise<void> {
  await ChatModel.updateMany({ ...waiting(site), passedBy: userId }, { $pull: { passedBy: userId } });
}
