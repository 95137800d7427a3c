import type { Request, Router } from 'express';
import { type Caller, emailField, type SignedInGuard, type UserDoc } from '#features/auth';
import type { Presence } from '#features/presence';
import { memberFor, type SiteAccess, siteFor, sitesInQuery } from '#features/sites';
import { AppError, anyone, choice, endpoints, type InputSchema, idField, type Limits, siteIdOf } from '#platform/http';
import { type Mail, mailboxOf } from '#platform/mail';
import { type Ability, can, SITE_ROLES, type SiteRole, type TeamApi } from './contract.ts';
import { acceptInvite, inviteFor, invitePage, revokeInvite, sendInvite } from './invites.ts';
import { changeRole, removeMember, transferOwnership } from './members.ts';
import { InviteModel } from './model.ts';
import { inviteView, memberView, memberViews } from './view.ts';

const role = choice('Role', SITE_ROLES);
const siteId = idField('siteId', { optional: true });

const teamQuerySchema: InputSchema = { siteId };
const roleSchema: InputSchema = { role: { ...role, optional: false }, siteId };
const removeSchema: InputSchema = { siteId };
const inviteSchema: InputSchema = { email: emailField(), role, siteId };
const handOverSchema: InputSchema = { userId: idField('userId') };

/** Enough to list all invites of one site, which has far fewer. */
const INVITES_LISTED_MAX = 1_000;
/** Accounts younger than this have a lower limit of invites: they are more likely to be made for mailing strangers. */
const NEW_ACCOUNT_MS = 86_400_000;

interface TeamDeps {
  signedIn: SignedInGuard;
  sitesPerAccount: number;
  limits: Limits;
  mail: Pick<Mail, 'enabled'>;
  presence: Pick<Presence, 'agentIsOnline' | 'agentIsAway'>;
}

/** The REST calls of teams. */
export function teamRoutes({ signedIn: authenticate, sitesPerAccount, limits, mail, presence }: TeamDeps): Router {
  const { router, on } = endpoints<TeamApi>();
  const { orKey } = authenticate;
  const requires = (ability: Ability) => (caller: Caller, _params: object, req: Request) =>
    siteFor(caller, siteIdOf(req), ability);
  const send = async ({ site }: SiteAccess, { user }: Caller, email: string, role: SiteRole) => {
    await takeInvite(limits, user);
    const isMailed = mail.enabled && !user.unprovedEmail && (await mayMail(limits, email));
    const made = await sendInvite(site, user, email, role, isMailed);
    return {
      message: isMailed ? 'The invite is on its way.' : whyUnsent(mail, user),
      data: { invite: inviteView(made), mailed: isMailed },
    };
  };
  const managesInvite = (caller: Caller, { inviteId }: { inviteId: string }) => inviteFor(caller, inviteId);

  on(
    'GET /team/members',
    { authenticate: orKey.read, authorize: sitesInQuery('team.read'), query: teamQuerySchema },
    async ({ access }) => ({
      data: { members: await memberViews(access, presence) },
    }),
  );

  on(
    'PATCH /team/members/:id',
    { authenticate: orKey.manage, authorize: requires('team.manage'), body: roleSchema },
    async ({ access, params, body, caller }) => ({
      data: {
        member: await memberView(
          await changeRole(access.site, params.id, body.role, caller.user._id),
          params.id,
          presence,
        ),
      },
    }),
  );

  on(
    'DELETE /team/members/me',
    { authenticate, authorize: requires('team.leave'), body: removeSchema },
    async ({ access, caller }) => {
      await removeMember(access.site, caller.user._id.toHexString(), caller.user._id);
      return { data: {} };
    },
  );

  on(
    'DELETE /team/members/:id',
    { authenticate: orKey.manage, authorize: requires('team.manage'), body: removeSchema },
    async ({ access, params, caller }) => {
      await removeMember(access.site, params.id, caller.user._id);
      return { data: {} };
    },
  );

  on(
    'GET /team/invites',
    { authenticate: orKey.manage, authorize: sitesInQuery('team.manage'), query: teamQuerySchema },
    async ({ access, caller }) => {
      const managed = access.filter((site) => {
        const member = memberFor(caller, site);
        return member !== null && can(member, 'team.manage');
      });
      const invites = await InviteModel.find({ site: { $in: managed.map(({ _id }) => _id) } })
        .limit(INVITES_LISTED_MAX)
        .lean();
      return { data: { invites: invites.map(inviteView) } };
    },
  );

  on(
    'POST /team/invites',
    { authenticate: orKey.manage, authorize: requires('team.manage'), body: inviteSchema },
    async ({ access, caller, body }) => {
      return { status: 201, ...(await send(access, caller, body.email, body.role ?? 'agent')) };
    },
  );

  on(
    'POST /team/invites/:inviteId/resend',
    { authenticate: orKey.manage, authorize: managesInvite },
    async ({ access, caller }) => {
      const { email, role } = access.found;
      return send(access, caller, email, role);
    },
  );

  on(
    'DELETE /team/invites/:inviteId',
    { authenticate: orKey.manage, authorize: managesInvite },
    async ({ access, caller }) => {
      await revokeInvite(access.found, caller.user._id);
      return { data: {} };
    },
  );

  on('GET /invites/:inviteId', { authenticate: anyone }, async ({ params }) => ({
    data: { invite: await invitePage(params.inviteId) },
  }));

  on('POST /invites/:inviteId/accept', { authenticate }, async ({ params, caller }) => {
    const site = await acceptInvite(params.inviteId, caller);
    return { data: { siteId: site._id.toHexString() } };
  });

  const ownSite = (caller: Caller, { id }: { id: string }) => siteFor(caller, id, 'sites.handOver');
  on('POST /sites/:id/owner', { authenticate, authorize: ownSite, body: handOverSchema }, async ({ access, body }) => {
    await transferOwnership(access.site, body.userId, sitesPerAccount);
    return { data: {} };
  });

  return router;
}

function whyUnsent(mail: Pick<Mail, 'enabled'>, { unprovedEmail }: UserDoc): string {
  if (!mail.enabled) return 'This server cannot send mail. Copy the link and send it yourself.';
  if (unprovedEmail) return 'Your own email address is not confirmed yet. Copy the link and send it yourself.';
  return 'This address has received too many mails today. Copy the link and send it yourself.';
}

/** Counts one invite against the account's limits. @throws AppError 429 */
async function takeInvite(limits: Limits, { _id, createdAt }: UserDoc): Promise<void> {
  const id = _id.toHexString();
  await limits.take('invitesPerAccount', id);
  if (Date.now() - createdAt.getTime() < NEW_ACCOUNT_MS) await limits.take('invitesPerNewAccount', id);
}

/** Whether this mailbox may get one more invite today; all spellings of its address count together. */
async function mayMail(limits: Limits, email: string): Promise<boolean> {
  try {
    await limits.take('inviteMailsPerAddress', mailboxOf(email));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
