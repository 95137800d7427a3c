import type { Router } from 'express';
import { readAuditLog } from '#features/audit';
import type { Sessions, SignedInGuard } from '#features/auth';
import { type MailIn, mailInState } from '#features/mailin';
import { choice, endpoints, flag, type InputSchema, pageFields, text, timeZoneField } from '#platform/http';
import { findAccounts } from './accountSearch.ts';
import { accountFor, changeAccount, platformAdmin } from './accounts.ts';
import type { AdminApi } from './contract.ts';
import { type FigureSources, platformFigures } from './figures.ts';
import { accountView, accountViews, auditViews } from './view.ts';

const SEARCH_MAX_LENGTH = 200;

const figureSchema: InputSchema = { tz: timeZoneField };
const accountListSchema: InputSchema = {
  ...pageFields,
  search: text({ label: 'search', max: SEARCH_MAX_LENGTH, optional: true, blank: true }),
};
const accountSchema: InputSchema = { suspended: flag('suspended'), role: choice('Role', ['user', 'parley_admin']) };
const auditSchema: InputSchema = pageFields;

export interface AdminDeps extends FigureSources {
  signedIn: SignedInGuard;
  sessions: Sessions;
  /** null: answers by mail do not come in. */
  mailIn: MailIn | null;
}

/** The REST calls of platform admins. */
export function adminRoutes(deps: AdminDeps): Router {
  const { router, on } = endpoints<AdminApi>();
  const authenticate = deps.signedIn;

  on('GET /admin/overview', { authenticate, authorize: platformAdmin, query: figureSchema }, async ({ query }) => ({
    data: await platformFigures(deps, query.tz),
  }));

  on('GET /admin/users', { authenticate, authorize: platformAdmin, query: accountListSchema }, async ({ query }) => {
    const { items, nextCursor } = await findAccounts(query);
    return { data: { users: await accountViews(items), nextCursor } };
  });

  on(
    'PATCH /admin/users/:id',
    { authenticate, authorize: accountFor, body: accountSchema },
    async ({ access, caller, body }) => ({
      data: { user: await accountView(await changeAccount(deps.sessions, caller.user._id, access, body)) },
    }),
  );

  on('GET /admin/mail-in', { authenticate, authorize: platformAdmin }, async () => ({
    data: { mailIn: deps.mailIn && (await mailInState(deps.mailIn, deps, deps.startedAt)) },
  }));

  on('GET /admin/audit', { authenticate, authorize: platformAdmin, query: auditSchema }, async ({ query }) => {
    const { items, nextCursor } = await readAuditLog(query);
    return { data: { entries: await auditViews(items), nextCursor } };
  });

  return router;
}
