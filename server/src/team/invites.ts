import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { peopleById } from '../auth/people.ts';
import type { Caller } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { conflict, duplicateKey, forbidden, notFound } from '../http/errors.ts';
import { type SiteAccess, siteAccess } from '../sites/access.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { can, INVITE_DAYS, type InvitePage, type SiteRole } from './contract.ts';
import { addMember } from './members.ts';
import { type InviteDoc, InviteModel } from './model.ts';

const ID_BYTES = 16;
const DAY_MS = 86_400_000;

function freshLink() {
  const at = Date.now();
  return { createdAt: new Date(at), expiresAt: new Date(at + INVITE_DAYS * DAY_MS) };
}

const freshId = () => randomBytes(ID_BYTES).toString('base64url');

/**
 * Invites somebody by e-mail. Inviting again makes a new link, with the role asked for now, and voids the old one.
 * @throws AppError 409 when that person is a member
 */
export async function invite(site: SiteDoc, inviter: UserDoc, email: string, role: SiteRole): Promise<InviteDoc> {
  const invitedBy = inviter._id;
  const known = await UserModel.findOne({ email }, { _id: 1 }).lean();
  if (known && site.team.some((member) => member.user.equals(known._id)))
    throw conflict('ALREADY_MEMBER', 'This person is already on the team.');
  const made = new InviteModel({ _id: freshId(), site: site._id, email, role, invitedBy, ...freshLink() });
  try {
    await made.save();
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    await InviteModel.deleteOne({ site: site._id, email });
    return invite(site, inviter, email, role);
  }
  await bus.tell('invitesChanged', { siteId: site._id.toHexString(), what: 'sent', by: invitedBy });
  await bus.tell('invited', { invite: made.toObject(), site, inviter });
  return made.toObject();
}

/** The invite, if the caller may manage its site's team; unknown and foreign ones answer alike. */
export async function inviteFor(caller: Caller, id: string): Promise<SiteAccess & { found: InviteDoc }> {
  const found = await InviteModel.findById(id).lean<InviteDoc>();
  const access = found && (await siteAccess(caller, found.site));
  if (!access) throw notFound('invite');
  if (!can(access.member, 'team.manage')) throw forbidden();
  return { ...access, found };
}

/** Takes an invite back. */
export async function revoke({ _id, site }: InviteDoc, by: Types.ObjectId): Promise<void> {
  await InviteModel.deleteOne({ _id });
  await bus.tell('invitesChanged', { siteId: site.toHexString(), what: 'revoked', by });
}

/** Whether somebody invited this e-mail and the link still works. */
export async function isInvited(email: string): Promise<boolean> {
  return (await InviteModel.exists({ email, acceptedBy: null, expiresAt: { $gt: new Date() } })) !== null;
}

/** What the link's page shows. @throws AppError 404 for an unknown, used, revoked or expired one */
export async function invitePage(id: string): Promise<InvitePage> {
  const found = await InviteModel.findOne({ _id: id, expiresAt: { $gt: new Date() } }).lean<InviteDoc>();
  const site = found && (await SiteModel.findOne({ _id: found.site, deletedAt: null }, { name: 1 }).lean<SiteDoc>());
  if (!found || !site) throw notFound('invite');
  const inviter = (await peopleById([found.invitedBy])).get(found.invitedBy.toHexString());
  const { email, role, expiresAt } = found;
  return { siteName: site.name, inviterName: inviter?.name ?? '', email, role, expiresAt: expiresAt.toISOString() };
}

/**
 * Takes the invited person into the team; the link works once. A crash in between is made good by accepting again.
 * @throws AppError 403 for another e-mail's session, 404 as `invitePage`
 */
export async function accept(id: string, { user }: Caller): Promise<SiteDoc> {
  const expiresAt = { $gt: new Date() };
  const held = await InviteModel.findOne({ _id: id, expiresAt }).lean<InviteDoc>();
  if (!held) throw notFound('invite');
  if (held.email !== user.email)
    throw forbidden('INVITE_FOR_ANOTHER', 'This invite is for another email address. Log in with that one.');
  const mine = await InviteModel.findOneAndUpdate(
    { _id: id, expiresAt, acceptedBy: { $in: [null, user._id] } },
    { $set: { acceptedBy: user._id } },
  ).lean<InviteDoc>();
  if (!mine) throw notFound('invite');
  const site = await addMember(mine.site, user._id, mine.role);
  await InviteModel.deleteOne({ _id: id });
  await bus.tell('invitesChanged', { siteId: site._id.toHexString(), what: 'accepted', by: user._id });
  return site;
}
