import { Types } from 'mongoose';
import { bus } from '../bus.ts';
import { conflict, duplicateKey, notFound } from '../http/errors.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { type SiteRole, TEAM_LIMIT } from './contract.ts';

const LIVE = { deletedAt: null };

/**
 * Takes somebody into a site's team; one who is there already stays as he is.
 * @throws AppError 409 when the team is full, 404 when the site is gone
 */
export async function addMember(siteId: Types.ObjectId, userId: Types.ObjectId, role: SiteRole): Promise<SiteDoc> {
  const joined = await SiteModel.findOneAndUpdate(
    { _id: siteId, 'team.user': { $ne: userId }, [`team.${TEAM_LIMIT - 1}`]: { $exists: false }, ...LIVE },
    { $push: { team: { user: userId, role } } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (joined) {
    await bus.tell('memberChanged', { site: joined, userId: userId.toHexString(), by: userId });
    return joined;
  }
  const site = await SiteModel.findOne({ _id: siteId, ...LIVE }).lean<SiteDoc>();
  if (!site) throw notFound('site');
  if (site.team.some(({ user }) => user.equals(userId))) return site;
  throw conflict('TEAM_FULL', `A team can have up to ${TEAM_LIMIT} members.`);
}

/** Gives a member another role. @throws AppError 404 for somebody else, 409 for the owner */
export async function changeRole(site: SiteDoc, id: string, role: SiteRole, by: Types.ObjectId): Promise<SiteDoc> {
  const changed = await SiteModel.findOneAndUpdate(
    { _id: site._id, owner: { $ne: id }, 'team.user': id, ...LIVE },
    { $set: { 'team.$.role': role } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!changed) throw refusal(site, id);
  await bus.tell('memberChanged', { site: changed, userId: id, by });
  return changed;
}

/** Takes a member out of the team. @throws AppError 404 for somebody else, 409 for the owner */
export async function removeMember(site: SiteDoc, id: string, by: Types.ObjectId): Promise<void> {
  const changed = await SiteModel.findOneAndUpdate(
    { _id: site._id, owner: { $ne: id }, 'team.user': id, ...LIVE },
    { $pull: { team: { user: new Types.ObjectId(id) } } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!changed) throw refusal(site, id);
  await bus.tell('memberRemoved', { site: changed, userId: id, by });
}

function refusal(site: SiteDoc, id: string) {
  if (!site.owner.equals(id)) return notFound('member');
  return conflict('OWNER_STAYS', 'The owner of a site stays its admin. Hand the site over first.');
}

/**
 * Makes another member the owner, who needs a free place for it; the old one stays as admin.
 * @param limit how many sites one account may own
 * @throws AppError 404 for somebody who is no member, 409 when the other has no place left
 */
export async function handOver(site: SiteDoc, userId: string, limit: number): Promise<void> {
  if (site.owner.equals(userId)) return;
  if (!site.team.some(({ user }) => user.equals(userId))) throw notFound('member');
  for (let ownerSlot = 0; ownerSlot < limit; ownerSlot++) {
    const changed = await takePlace(site, userId, ownerSlot);
    if (changed === 'taken') continue;
    if (!changed) throw conflict('SITE_CHANGED', 'The site changed meanwhile. Please look again.');
    await bus.tell('memberChanged', { site: changed, userId, by: site.owner });
    await bus.tell('siteHandedOver', { site: changed, by: site.owner });
    return;
  }
  throw conflict('SITE_LIMIT_REACHED', `This person already owns ${limit} websites.`);
}

async function takePlace(site: SiteDoc, userId: string, ownerSlot: number): Promise<SiteDoc | null | 'taken'> {
  try {
    return await SiteModel.findOneAndUpdate(
      { _id: site._id, owner: site.owner, 'team.user': userId, ...LIVE },
      { $set: { owner: userId, ownerSlot, 'team.$.role': 'admin' } },
      { returnDocument: 'after' },
    ).lean<SiteDoc>();
  } catch (error) {
    if (duplicateKey(error)?.includes('ownerSlot')) return 'taken';
    throw error;
  }
}
