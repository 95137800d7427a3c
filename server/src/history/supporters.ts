import { Types } from 'mongoose';
import { type Person, peopleById } from '../auth/people.ts';
import { ChatModel } from '../chats/model.ts';
import type { SiteDoc } from '../sites/model.ts';

/** More people than this have hardly answered for one site. */
const SUPPORTERS_MAX = 200;

/**
 * Everybody who claimed chats of these sites, by name; whoever left the team is still there. Found by going from one
 * claimer to the next in the index, which costs what there are people and not what there are chats.
 */
export async function supportersOf(sites: SiteDoc[]): Promise<Person[]> {
  const claimers = await Promise.all(sites.map(({ _id }) => claimersOf(_id)));
  const people = [...(await peopleById(claimers.flat())).values()];
  return people.sort((a, b) => a.name.localeCompare(b.name));
}

async function claimersOf(site: Types.ObjectId): Promise<Types.ObjectId[]> {
  const claimers: Types.ObjectId[] = [];
  let after = new Types.ObjectId('0'.repeat(24));
  while (claimers.length < SUPPORTERS_MAX) {
    const next = await ChatModel.findOne({ site, bot: false, claimedBy: { $gt: after } }, { claimedBy: 1, _id: 0 })
      .sort({ claimedBy: 1 })
      .lean();
    if (!next?.claimedBy) break;
    claimers.push(next.claimedBy);
    after = next.claimedBy;
  }
  return claimers;
}
