import { Types } from 'mongoose';
import { type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import { conflict, isDuplicate, notFound, sentence } from '#platform/http';
import { type SiteRole, TEAM_LIMIT } from './contract.ts';
import { type InviteDoc, removeInvitesBy } from './model.ts';

const LIVE = { deletedAt: null };

/**
 * Takes an invited person into a site's team, if the inviter is still an admin there. Idempotent: a person who is already
 * a member keeps the role.
 * @throws AppError 409 when the team is full, 404 when the site is gone or the inviter is not its admin any more
 */
export async function addMember(
  { site: siteId, role, invitedBy }: Pick<InviteDoc, 'site' | 'role' | 'invitedBy'>,
  userId: Types.ObjectId,
): Promise<SiteDoc> {
  const joined = await SiteModel.findOneAndUpdate(
    {
      _id: siteId,
      team: { $elemMatch: { user: invitedBy, role: 'admin' } },
      'team.user': { $ne: userId },
      [`team.${TEAM_LIMIT - 1}`]: { $exists: false },
      ...LIVE,
    },
    { $push: { team: { user: userId, role } } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (joined) {
    await events.emit('memberChanged', { site: joined, userId: userId.toHexString(), by: userId });
    return joined;
  }
  const site = await SiteModel.findOne({ _id: siteId, ...LIVE }).lean<SiteDoc>();
  if (!site) throw notFound('site');
  if (site.team.some(({ user }) => user.equals(userId))) return site;
  if (!site.team.some(({ user, role }) => user.equals(invitedBy) && role === 'admin')) throw notFound('invite');
  throw conflict('TEAM_FULL', sentence('A team can have up to {max} members.', { max: TEAM_LIMIT }));
}

/**
 * Changes a member's role; a member who stops being an admin loses the open invites as well.
 * @throws AppError 404 for a person who is no member, 409 for the owner
 */
export async function changeRole(site: SiteDoc, id: string, role: SiteRole, by: Types.ObjectId): Promise<SiteDoc> {
  const changed = await SiteModel.findOneAndUpdate(
    { _id: site._id, owner: { $ne: id }, 'team.user': id, ...LIVE },
    { $set: { 'team.$.role': role } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!changed) throw refusal(site, id);
  if (role !== 'admin') await removeInvitesBy(new Types.ObjectId(id), site._id);
  await events.emit('memberChanged', { site: changed, userId: id, by });
  return changed;
}

/**
 * Removes a member from the team, with the member's open invites.
 * @throws AppError 404 for a person who is no member, 409 for the owner
 */
export async function removeMember(site: SiteDoc, id: string, by: Types.ObjectId): Promise<void> {
  if (!(await dropMember(site, id, by))) throw refusal(site, id);
}

/** Like `removeMember`. @returns false where there is no such member to remove */
export async function dropMember(site: SiteDoc, id: string, by: Types.ObjectId): Promise<boolean> {
  const changed = await SiteModel.findOneAndUpdate(
    { _id: site._id, owner: { $ne: id }, 'team.user': id, ...LIVE },
    { $pull: { team: { user: new Types.ObjectId(id) } } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!changed) return false;
  await removeInvitesBy(new Types.ObjectId(id), site._id);
  await events.emit('memberRemoved', { site: changed, userId: id, by });
  return true;
}

function refusal(site: SiteDoc, id: string) {
  if (!site.owner.equals(id)) return notFound('member');
  return conflict(
    'OWNER_STAYS',
    sentence('The owner of a site is always an admin. Hand the site over to somebody else first.'),
  );
}

/**
 * Makes another member the owner; the old owner stays as an admin.
 * @param limit how many sites one account may own
 * @throws AppError 404 for a person who is no member, 409 when that person already owns as many sites as allowed
 */
export async function transferOwnership(site: SiteDoc, userId: string, limit: number): Promise<void> {
  if (site.owner.equals(userId)) return;
  if (!site.team.some(({ user }) => user.equals(userId))) throw notFound('member');
  for (let ownerSlot = 0; ownerSlot < limit; ownerSlot++) {
    const changed = await takePlace(site, userId, ownerSlot);
    if (changed === 'taken') continue;
    if (!changed)
      throw conflict('SITE_CHANGED', sentence('The site was changed in the meantime. Please reload and try again.'));
    await events.emit('memberChanged', { site: changed, userId, by: site.owner });
    await events.emit('siteHandedOver', { site: changed, by: site.owner });
    return;
  }
  throw conflict('SITE_LIMIT_REACHED', sentence('This person already owns {limit} websites.', { limit }));
}

async function takePlace(site: SiteDoc, userId: string, ownerSlot: number): Promise<SiteDoc | null | 'taken'> {
  try {
    return await SiteModel.findOneAndUpdate(
      { _id: site._id, owner: site.owner, 'team.user': userId, ...LIVE },
      { $set: { owner: userId, ownerSlot, 'team.$.role': 'admin' } },
      { returnDocument: 'after' },
    ).lean<SiteDoc>();
  } catch (error) {
    if (isDuplicate(error, 'ownerSlot')) return 'taken';
    throw error;
  }
}
