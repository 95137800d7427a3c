import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { REPORT_DAYS_DEFAULT, REPORT_DAYS_MAX } from '#features/reports/contract';
import { requirement, siteFor } from '#features/sites';
import { choice, endpoints, pageFields, wholeQuery } from '#platform/http';
import type { AssistApi } from '../contract.ts';
import type { Model } from '../model/model.ts';
import { runsOfSite } from '../runs/model.ts';
import { assistantState, daysOf } from './figures.ts';
import { assistantPatchSchema } from './schemas.ts';
import { changeAssistant } from './settings.ts';

type Calls =
  | 'GET /sites/:id/assistant'
  | 'PATCH /sites/:id/assistant'
  | 'GET /sites/:id/assistant/days'
  | 'GET /sites/:id/assistant/runs';

interface SettingsDeps {
  signedIn: SignedInGuard;
  model: Model | null;
  now: () => number;
}

/** The calls of the assistant's settings, and of its figures. */
export function assistantSettingsRoutes({ signedIn: { orKey }, model, now }: SettingsDeps): Router {
  const { router, on } = endpoints<Pick<AssistApi, Calls>>();
  const onSite = requirement(siteFor);
  const reads = { authenticate: orKey.read, authorize: onSite('sites.read') };

  on('GET /sites/:id/assistant', reads, async ({ access: { site } }) => ({
    data: { assistant: await assistantState(site, model, now()), hasModel: model !== null },
  }));

  on(
    'PATCH /sites/:id/assistant',
    { authenticate: orKey.manage, authorize: onSite('sites.edit'), body: assistantPatchSchema },
    async ({ access, body, caller }) => {
      const changed = await changeAssistant(access.site, body, caller);
      return { data: { assistant: await assistantState(changed, model, now()) } };
    },
  );

  on(
    'GET /sites/:id/assistant/days',
    { ...reads, query: { days: wholeQuery('days', 1, REPORT_DAYS_MAX) } },
    async ({ access: { site }, query: { days = REPORT_DAYS_DEFAULT } }) => ({
      data: { days: await daysOf(site, days, now()) },
    }),
  );

  on(
    'GET /sites/:id/assistant/runs',
    // Questions of visitors are texts of their chats.
    {
      authenticate: orKey.read,
      authorize: onSite('chats.read'),
      query: { ...pageFields, failed: choice('failed', ['yes']) },
    },
    async ({ access: { site }, query }) => ({ data: await runsOfSite(site._id, query) }),
  );

  return router;
}
