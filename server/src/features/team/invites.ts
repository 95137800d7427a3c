import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import { type Caller, peopleById, type UserDoc, UserModel } from '#features/auth';
import { memberOf, mustBeAble, type SiteAccess, type SiteDoc, SiteModel, siteAccess } from '#features/sites';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { AppError, conflict, duplicateKey, forbidden, notFound, sentence } from '#platform/http';
import { DAY_MS } from '#platform/time';
import { can, INVITE_DAYS, type InvitePage, type SiteRole, TEAM_LIMIT } from './contract.ts';
import { addMember } from './members.ts';
import { type InviteDoc, InviteModel } from './model.ts';

const ID_BYTES = 16;
/** Open invites of one site: as many as a team can have members. */
const INVITES_MAX = TEAM_LIMIT;
const ACTIVE = { suspendedAt: null, deletedAt: null };

function freshLink() {
  const at = Date.now();
  return { createdAt: new Date(at), expiresAt: new Date(at + INVITE_DAYS * DAY_MS) };
}

const freshId = () => randomBytes(ID_BYTES).toString('base64url');

/**
 * Invites a person by e-mail. Inviting again makes a new link with the role given now, and voids the old one.
 * @param isMailed whether the link is also mailed
 * @throws AppError 409 when that person is a member, or too many invites are open
 */
export async function sendInvite(
  site: SiteDoc,
  inviter: UserDoc,
  email: string,
  role: SiteRole,
  isMailed: boolean,
): Promise<InviteDoc> {
  const invitedBy = inviter._id;
  const known = await UserModel.findOne({ email }, { _id: 1 }).lean();
  if (known && site.team.some((member) => member.user.equals(known._id)))
    throw conflict('ALREADY_MEMBER', sentence('This person is already on the team.'));
  const others = { site: site._id, email: { $ne: email }, expiresAt: { $gt: new Date() } };
  if ((await InviteModel.countDocuments(others).limit(INVITES_MAX)) >= INVITES_MAX)
    throw conflict(
      'TOO_MANY_INVITES',
      sentence('A site can have up to {max} open invites. Revoke one first.', { max: INVITES_MAX }),
    );
  const made = new InviteModel({ _id: freshId(), site: site._id, email, role, invitedBy, ...freshLink() });
  try {
    await made.save();
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    await removeOne(InviteModel, { site: site._id, email });
    return sendInvite(site, inviter, email, role, isMailed);
  }
  await events.emit('invitesChanged', { siteId: site._id.toHexString(), what: 'sent', by: invitedBy });
  if (isMailed) await events.emit('invited', { invite: made.toObject(), site, inviter });
  return made.toObject();
}

/**
 * The invite, if the caller may manage its site's team. Unknown and foreign ones get the same answer, so that ids cannot
 * be probed.
 */
export async function inviteFor(caller: Caller, id: string): Promise<SiteAccess & { found: InviteDoc }> {
  const found = await InviteModel.findById(id).lean<InviteDoc>();
  const access = found && (await siteAccess(caller, found.site));
  if (!access) throw notFound('invite');
  mustBeAble(access.member, 'team.manage');
  return { ...access, found };
}

/** Revokes an invite. */
export async function revokeInvite({ _id, site }: InviteDoc, by: Types.ObjectId): Promise<void> {
  await removeOne(InviteModel, { _id });
  await events.emit('invitesChanged', { siteId: site.toHexString(), what: 'revoked', by });
}

/**
 * An invite whose link still works: it has not expired, its site exists, and its inviter may still invite people there.
 * @throws AppError 404 for any other
 */
async function openInvite(id: string): Promise<{ found: InviteDoc; site: SiteDoc }> {
  const found = await InviteModel.findOne({ _id: id, expiresAt: { $gt: new Date() } }).lean<InviteDoc>();
  const site = found && (await SiteModel.findOne({ _id: found.site, deletedAt: null }).lean<SiteDoc>());
  const inviter = site && memberOf(site, found.invitedBy);
  if (!inviter || !can(inviter, 'team.manage')) throw notFound('invite');
  if (!(await UserModel.exists({ _id: found.invitedBy, ...ACTIVE }))) throw notFound('invite');
  return { found, site };
}

/**
 * Whether an invite allows a newcomer with this e-mail to sign up where only the invited may. The proof is the link,
 * which was mailed to the address or passed on by the inviter; knowing the address alone proves nothing. Only invites to
 * sites with a platform admin on the team count: otherwise every newcomer could make a site and let others in through it.
 * @throws AppError 403 for an invite of another site
 */
export async function allowsSignup(inviteId: string, email: string): Promise<boolean> {
  const open = await openInvite(inviteId).catch((error) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (open?.found.email !== email || open.found.acceptedBy !== null) return false;
  const team = open.site.team.map(({ user }) => user);
  if (await UserModel.exists({ _id: { $in: team }, role: 'parley_admin', ...ACTIVE })) return true;
  throw forbidden(
    'SIGNUP_CLOSED',
    sentence(
      'This server does not accept new accounts, and this invite is for an existing one. Please contact the administrator of this server.',
    ),
  );
}

/** What the page of an invite's link shows. @throws AppError 404 for an unknown, used, revoked or expired one */
export async function invitePage(id: string): Promise<InvitePage> {
  const { found, site } = await openInvite(id);
  const inviter = (await peopleById([found.invitedBy])).get(found.invitedBy.toHexString());
  const { email, role, expiresAt } = found;
  return { siteName: site.name, inviterName: inviter?.name ?? '', email, role, expiresAt: expiresAt.toISOString() };
}

/**
 * Takes the invited person into the team; the link works once. After a crash halfway, accepting again completes it.
 * @throws AppError 403 for the session of another e-mail, 404 as `invitePage`
 */
export async function acceptInvite(id: string, { user }: Caller): Promise<SiteDoc> {
  const expiresAt = { $gt: new Date() };
  const { found } = await openInvite(id);
  if (found.email !== user.email)
    throw forbidden('INVITE_FOR_ANOTHER', sentence('This invite is for another email address. Log in with that one.'));
  const mine = await InviteModel.findOneAndUpdate(
    { _id: id, expiresAt, acceptedBy: { $in: [null, user._id] } },
    { $set: { acceptedBy: user._id } },
  ).lean<InviteDoc>();
  if (!mine) throw notFound('invite');
  const site = await addMember(mine, user._id);
  await removeOne(InviteModel, { _id: id });
  await events.emit('invitesChanged', { siteId: site._id.toHexString(), what: 'accepted', by: user._id });
  return site;
}
