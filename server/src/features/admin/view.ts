import type { AuditDoc } from '#features/audit';
import { peopleById, SessionModel, type UserDoc } from '#features/auth';
import { SiteModel } from '#features/sites';
import type { AuditEntry, NamedId, PlatformAccount } from './contract.ts';

/** Accounts as the platform's admins see them. */
export function accountViews(users: UserDoc[]): Promise<PlatformAccount[]> {
  return Promise.all(users.map(accountView));
}

/** An account as the platform's admins see it. */
export async function accountView(user: UserDoc): Promise<PlatformAccount> {
  const { _id, name, email, role, suspendedAt, twoFactor, createdAt, lastSeenAt } = user;
  const [sites, newest] = await Promise.all([
    SiteModel.countDocuments({ 'team.user': _id, deletedAt: null }),
    SessionModel.findOne({ user: _id }, { lastUsedAt: 1 }).sort({ lastUsedAt: -1 }).lean(),
  ]);
  const seen = Math.max(newest?.lastUsedAt.getTime() ?? 0, lastSeenAt?.getTime() ?? 0);
  return {
    _id: _id.toHexString(),
    name,
    email,
    role,
    sites,
    suspended: suspendedAt !== undefined,
    twoFactorEnabled: twoFactor !== undefined,
    createdAt: createdAt.toISOString(),
    lastSeenAt: seen > 0 ? new Date(seen).toISOString() : null,
  };
}

/** Entries of the audit log with the names that their people and sites have today. */
export async function auditViews(entries: AuditDoc[]): Promise<AuditEntry[]> {
  const [people, sites] = await Promise.all([
    peopleById(entries.flatMap(({ actor, subject }) => [actor, subject].flatMap((id) => id ?? []))),
    SiteModel.find({ _id: { $in: entries.flatMap(({ site }) => site ?? []) } }, { name: 1 }).lean<NamedDoc[]>(),
  ]);
  const siteNames = new Map(sites.map((site) => [site._id.toHexString(), site]));
  return entries.map(({ _id, at, times, lastAt, action, actor, site, subject, detail = {} }) => ({
    _id: _id.toHexString(),
    at: at.toISOString(),
    ...(times && lastAt && { times, lastAt: lastAt.toISOString() }),
    action,
    actor: named(actor, people),
    site: named(site, siteNames),
    subject: named(subject, people),
    detail: detailView(detail),
  }));
}

type NamedDoc = Pick<UserDoc, '_id' | 'name'>;

function named(id: AuditDoc['actor'], docs: Map<string, Pick<NamedDoc, 'name'>>): NamedId | null {
  return id && { _id: id.toHexString(), name: docs.get(id.toHexString())?.name ?? null };
}

function detailView({ role, reason, fields }: NonNullable<AuditDoc['detail']>): AuditEntry['detail'] {
  return { ...(role ? { role } : {}), ...(reason ? { reason } : {}), ...(fields ? { fields } : {}) };
}
