import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import { type AuditDoc, AuditModel } from './model.ts';

type Id = Types.ObjectId | string;

interface Entry {
  actor?: Id | null;
  site?: Id;
  subject?: Id | null;
  detail?: AuditDoc['detail'];
}

/** Writes down who did what, from the facts. Gives the function that stops it. @param now milliseconds */
export function keepTrail(now: () => number): () => void {
  async function note(action: string, entry: Entry): Promise<void> {
    await new AuditModel({ at: new Date(now()), action, ...entry }).save();
  }
  return bus.stopAll([...accountTrail(note), ...siteTrail(note), ...teamTrail(note)]);
}

type Note = (action: string, entry: Entry) => Promise<void>;

function accountTrail(note: Note): (() => void)[] {
  return [
    bus.on('signedIn', ({ userId }) => note('signed_in', { actor: userId })),
    bus.on('signInsRefused', ({ userId }) => note('sign_ins_refused', { subject: userId })),
    bus.on('twoFactorEnabled', ({ userId }) => note('two_factor_enabled', { actor: userId })),
    bus.on('twoFactorDisabled', ({ userId, by }) =>
      by === 'owner'
        ? note('two_factor_disabled', { actor: userId })
        : note('two_factor_disabled', { subject: userId, detail: { reason: by } }),
    ),
    bus.on('recoveryCodesChanged', ({ userId }) => note('recovery_codes_changed', { actor: userId })),
    bus.on('recoveryCodeUsed', ({ userId }) => note('recovery_code_used', { actor: userId })),
    bus.on('resetLinkMade', ({ userId, by }) => note('reset_link_made', { subject: userId, detail: { reason: by } })),
    bus.on('passwordReset', ({ userId }) => note('password_reset', { actor: userId })),
    bus.on('accountDeleted', ({ userId }) => note('account_deleted', { actor: userId })),
    bus.on('accountPromoted', ({ userId }) => note('account_promoted', { subject: userId })),
    bus.on('passwordChanged', ({ userId }) => note('password_changed', { actor: userId })),
    bus.on('accountSuspended', ({ userId, by }) => note('account_suspended', { actor: by, subject: userId })),
    bus.on('accountRestored', ({ userId, by }) => note('account_restored', { actor: by, subject: userId })),
    bus.on('platformRoleChanged', ({ userId, role, by }) =>
      note('platform_role_set', { actor: by, subject: userId, detail: { role } }),
    ),
    bus.on('accountChanged', ({ userId, fields }) => note('account_changed', { actor: userId, detail: { fields } })),
    bus.on('sessionEnded', ({ userId, reason }) => {
      const actor = reason === 'expired' || reason === 'suspended' ? null : userId;
      return note('session_ended', { actor, subject: userId, detail: { reason } });
    }),
  ];
}

function siteTrail(note: Note): (() => void)[] {
  return [
    bus.on('siteCreated', ({ site }) => note('site_created', { actor: site.owner, site: site._id })),
    bus.on('siteUpdated', async ({ site, by, fields }) => {
      if (fields.length > 0) await note('site_changed', { actor: by, site: site._id, detail: { fields } });
    }),
    bus.on('widgetCodeChanged', ({ site, by }) => note('widget_code_changed', { actor: by, site: site._id })),
    bus.on('identitySecretChanged', ({ site, by }) => note('identity_secret_changed', { actor: by, site: site._id })),
    bus.on('siteHandedOver', ({ site, by }) =>
      note('site_handed_over', { actor: by, site: site._id, subject: site.owner }),
    ),
    bus.on('siteDeleted', ({ site, by }) => note('site_deleted', { actor: by, site: site._id })),
    bus.on('visitorErased', ({ visitor, site, by }) =>
      note('visitor_erased', { actor: by, site: site._id, subject: visitor._id }),
    ),
    // What time removes would fill the trail.
    bus.on('chatRemoved', async ({ chat, site, by }) => {
      if (by) await note('chat_deleted', { actor: by, site: site._id, subject: chat.visitor });
    }),
  ];
}

function teamTrail(note: Note): (() => void)[] {
  return [
    bus.on('memberChanged', ({ site, userId, by }) => {
      const role = site.team.find(({ user }) => user.toHexString() === userId)?.role;
      const action = by.toHexString() === userId ? 'member_joined' : 'member_role_set';
      return note(action, { actor: by, site: site._id, subject: userId, ...(role ? { detail: { role } } : {}) });
    }),
    bus.on('memberRemoved', ({ site, userId, by }) => {
      const action = by.toHexString() === userId ? 'member_left' : 'member_removed';
      return note(action, { actor: by, site: site._id, subject: userId });
    }),
    bus.on('invitesChanged', ({ siteId, what, by }) => note(`invite_${what}`, { actor: by, site: siteId })),
  ];
}
