import type { Router } from 'express';
import { readTrail } from '../audit/read.ts';
import type { SignedInGuard } from '../auth/access.ts';
import type { Sessions } from '../auth/sessions.ts';
import { endpoints } from '../http/endpoint.ts';
import { accountFor, platformAdmin } from './access.ts';
import { changeAccount } from './actions.ts';
import type { AdminApi } from './contract.ts';
import { type FigureSources, platformFigures } from './figures.ts';
import { findAccounts } from './find.ts';
import { accountListRules, accountRules, auditRules, figureRules } from './rules.ts';
import { accountView, accountViews, auditViews } from './view.ts';

/** What the calls of the platform's admins work with. */
export interface AdminDeps extends FigureSources {
  signedIn: SignedInGuard;
  sessions: Sessions;
}

/** The calls of the platform's admins. */
export function adminRoutes(deps: AdminDeps): Router {
  const { router, on } = endpoints<AdminApi>();
  const who = deps.signedIn;

  on('GET /admin/overview', { who, may: platformAdmin, query: figureRules }, async ({ query }) => ({
    data: await platformFigures(deps, query.tz),
  }));

  on('GET /admin/users', { who, may: platformAdmin, query: accountListRules }, async ({ query }) => {
    const { users, nextCursor } = await findAccounts(query);
    return { data: { users: await accountViews(users), nextCursor } };
  });

  on('PATCH /admin/users/:id', { who, may: accountFor, body: accountRules }, async ({ access, caller, body }) => ({
    data: { user: await accountView(await changeAccount(deps.sessions, caller, access, body)) },
  }));

  on('GET /admin/audit', { who, may: platformAdmin, query: auditRules }, async ({ query }) => {
    const { entries, nextCursor } = await readTrail(query);
    return { data: { entries: await auditViews(entries), nextCursor } };
  });

  return router;
}
