import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { idCursor, olderThan, type PageOf, readPage } from '#platform/http';
import type { PageQuery } from '#platform/http/contract';
import { DAY_S, HOUR_MS } from '#platform/time';

/** Entries are deleted after this many days. */
const KEPT_DAYS = 400;

/**
 * One entry of the audit log: who did what to whom, where and when. It holds ids, roles, reasons and field names, never
 * content.
 */
export interface AuditDoc {
  _id: Types.ObjectId;
  at: Date;
  action: string;
  /** The user who did it; null: not done by a signed-in person. */
  actor: Types.ObjectId | null;
  site: Types.ObjectId | null;
  /** The user or visitor to whom it was done. */
  subject: Types.ObjectId | null;
  /** How often the same was done within an hour after `at`; older entries have none. */
  times?: number;
  lastAt?: Date;
  detail?: { role?: string; reason?: string; fields?: string[] };
}

const auditSchema = new Schema<AuditDoc>(
  {
    at: { type: Date, required: true },
    action: { type: String, required: true },
    actor: { type: Schema.Types.ObjectId, default: null },
    site: { type: Schema.Types.ObjectId, default: null },
    subject: { type: Schema.Types.ObjectId, default: null },
    times: { type: Number, default: undefined },
    lastAt: { type: Date, default: undefined },
    detail: { role: String, reason: String, fields: { type: [String], default: undefined } },
  },
  { versionKey: false },
);
auditSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_DAYS * DAY_S });

export const AuditModel = defineModel<AuditDoc>('Audit', auditSchema, 'audit');

type Id = Types.ObjectId | string;

interface Entry {
  actor?: Id | null;
  site?: Id;
  subject?: Id | null;
  detail?: AuditDoc['detail'];
}

/** What one person repeats within this time is one entry with a count: repetitions would push everything else out of sight. */
const REPEATED_MS = HOUR_MS;
/** Entries that can be repeated; the oldest are forgotten, and begin anew. */
const REMEMBERED_MAX = 5_000;

/** Writes an entry for each event worth auditing. @param now milliseconds @returns a disposer */
export function startAuditLog(now: () => number): () => void {
  const latest = new Map<string, { at: number; saved: Promise<Types.ObjectId> }>();

  async function note(action: string, entry: Entry): Promise<void> {
    const { actor, site, subject, detail: { role, reason, fields } = {} } = entry;
    const key = [action, actor, site, subject, role, reason].join(' ');
    const before = latest.get(key);
    if (actor && before && now() - before.at < REPEATED_MS) {
      const more = { $inc: { times: 1 }, $set: { lastAt: new Date(now()) } };
      const union = fields && { $addToSet: { 'detail.fields': { $each: fields } } };
      const { matchedCount } = await AuditModel.updateOne({ _id: await before.saved }, { ...more, ...union });
      if (matchedCount > 0) return;
    }
    const saved = save(action, entry);
    const [oldest] = latest.size >= REMEMBERED_MAX ? latest.keys() : [];
    if (oldest !== undefined) latest.delete(oldest);
    latest.delete(key);
    latest.set(key, { at: now(), saved });
    await saved.catch((error) => {
      latest.delete(key);
      throw error;
    });
  }

  async function save(action: string, entry: Entry): Promise<Types.ObjectId> {
    const { _id } = await new AuditModel({ at: new Date(now()), action, times: 1, ...entry }).save();
    return _id;
  }

  return events.stopAll([...accountEvents(note), ...siteEvents(note), ...teamEvents(note)]);
}

type Note = (action: string, entry: Entry) => Promise<void>;

function accountEvents(note: Note): (() => void)[] {
  return [
    events.on('signedIn', ({ userId, by }) =>
      note('signed_in', { actor: userId, ...(by && { detail: { reason: by } }) }),
    ),
    events.on('signInsRefused', ({ userId }) => note('sign_ins_refused', { subject: userId })),
    events.on('twoFactorEnabled', ({ userId }) => note('two_factor_enabled', { actor: userId })),
    events.on('twoFactorDisabled', ({ userId, by }) =>
      by === 'owner'
        ? note('two_factor_disabled', { actor: userId })
        : note('two_factor_disabled', { subject: userId, detail: { reason: by } }),
    ),
    events.on('recoveryCodesChanged', ({ userId }) => note('recovery_codes_changed', { actor: userId })),
    events.on('recoveryCodeUsed', ({ userId }) => note('recovery_code_used', { actor: userId })),
    events.on('resetLinkMade', ({ userId, by }) =>
      note('reset_link_made', { subject: userId, detail: { reason: by } }),
    ),
    events.on('passwordReset', ({ userId }) => note('password_reset', { actor: userId })),
    events.on('accountDeleted', ({ userId }) => note('account_deleted', { actor: userId })),
    events.on('accountPromoted', ({ userId }) => note('account_promoted', { subject: userId })),
    events.on('passwordChanged', ({ userId }) => note('password_changed', { actor: userId })),
    events.on('accountSuspended', ({ userId, by }) => note('account_suspended', { actor: by, subject: userId })),
    events.on('accountRestored', ({ userId, by }) => note('account_restored', { actor: by, subject: userId })),
    events.on('platformRoleChanged', ({ userId, role, by }) =>
      note('platform_role_set', { actor: by, subject: userId, detail: { role } }),
    ),
    events.on('accountChanged', ({ userId, fields }) => note('account_changed', { actor: userId, detail: { fields } })),
    events.on('apiKeyCreated', ({ userId, scope }) =>
      note('api_key_created', { actor: userId, detail: { reason: scope } }),
    ),
    events.on('apiKeyRevoked', ({ userId }) => note('api_key_revoked', { actor: userId })),
    events.on('sessionEnded', ({ userId, reason }) => {
      const actor = reason === 'expired' || reason === 'suspended' ? null : userId;
      return note('session_ended', { actor, subject: userId, detail: { reason } });
    }),
  ];
}

function siteEvents(note: Note): (() => void)[] {
  return [
    events.on('siteCreated', ({ site }) => note('site_created', { actor: site.owner, site: site._id })),
    events.on('siteUpdated', async ({ site, by, fields }) => {
      if (fields.length > 0) await note('site_changed', { actor: by, site: site._id, detail: { fields } });
    }),
    events.on('widgetCodeChanged', ({ site, by }) => note('widget_code_changed', { actor: by, site: site._id })),
    events.on('identitySecretChanged', ({ site, by }) =>
      note('identity_secret_changed', { actor: by, site: site._id }),
    ),
    events.on('webhooksChanged', ({ site, by, what, fields }) =>
      note(`webhook_${what}`, { actor: by, site: site._id, ...(fields && { detail: { fields } }) }),
    ),
    events.on('webhookSecretChanged', ({ site, by }) => note('webhook_secret_changed', { actor: by, site: site._id })),
    events.on('webhookSwitchedOff', ({ site, reason }) =>
      note('webhook_switched_off', { site: site._id, detail: { reason } }),
    ),
    events.on('historyImported', ({ site, by }) => note('history_imported', { actor: by, site: site._id })),
    events.on('articlePublished', ({ site, by }) => note('article_published', { actor: by, site: site._id })),
    events.on('articleWithdrawn', ({ site, by }) => note('article_withdrawn', { actor: by, site: site._id })),
    events.on('articleDeleted', ({ site, by }) => note('article_deleted', { actor: by, site: site._id })),
    events.on('siteHandedOver', ({ site, by }) =>
      note('site_handed_over', { actor: by, site: site._id, subject: site.owner }),
    ),
    events.on('siteDeleted', ({ site, by }) => note('site_deleted', { actor: by, site: site._id })),
    events.on('visitorEdited', ({ visitor, site, by, fields }) =>
      note('visitor_changed', { actor: by, site: site._id, subject: visitor._id, detail: { fields } }),
    ),
    events.on('visitorErased', ({ visitor, site, by }) =>
      note('visitor_erased', { actor: by, site: site._id, subject: visitor._id }),
    ),
    // Chats removed because of their age are not logged: they would fill the log.
    events.on('chatRemoved', async ({ chat, site, by }) => {
      if (by) await note('chat_deleted', { actor: by, site: site._id, subject: chat.visitor });
    }),
  ];
}

function teamEvents(note: Note): (() => void)[] {
  return [
    events.on('memberChanged', ({ site, userId, by }) => {
      const role = site.team.find(({ user }) => user.toHexString() === userId)?.role;
      const action = by.toHexString() === userId ? 'member_joined' : 'member_role_set';
      return note(action, { actor: by, site: site._id, subject: userId, ...(role ? { detail: { role } } : {}) });
    }),
    events.on('memberRemoved', ({ site, userId, by }) => {
      const action = by.toHexString() === userId ? 'member_left' : 'member_removed';
      return note(action, { actor: by, site: site._id, subject: userId });
    }),
    events.on('invitesChanged', ({ siteId, what, by }) => note(`invite_${what}`, { actor: by, site: siteId })),
  ];
}

/** A page of the log, newest entry first. @throws AppError 400 for an invalid cursor */
export async function readAuditLog(query: PageQuery): Promise<PageOf<AuditDoc>> {
  const filter = olderThan(query.cursor);
  const find = (limit: number) => AuditModel.find(filter).sort({ _id: -1 }).limit(limit).lean<AuditDoc[]>();
  return readPage(query, find, idCursor);
}
