import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { endpoints } from '#platform/http';
import type { AssistApi } from '../contract.ts';
import type { Model } from '../model/model.ts';
import { assistantPatchSchema } from './schemas.ts';
import { assistantView, changeAssistant } from './settings.ts';

interface SettingsDeps {
  signedIn: SignedInGuard;
  /** null: the server has none. */
  model: Model | null;
}

/** The calls of the assistant's settings. */
export function assistantSettingsRoutes({ signedIn: { orKey }, model }: SettingsDeps): Router {
  const { router, on } = endpoints<AssistApi>();
  const onSite = requirement(siteFor);

  on(
    'GET /sites/:id/assistant',
    { authenticate: orKey.read, authorize: onSite('sites.read') },
    async ({ access: { site } }) => ({ data: { assistant: assistantView(site), hasModel: model !== null } }),
  );

  on(
    'PATCH /sites/:id/assistant',
    { authenticate: orKey.manage, authorize: onSite('sites.edit'), body: assistantPatchSchema },
    async ({ access, body, caller }) => ({
      data: { assistant: assistantView(await changeAssistant(access.site, body, caller)) },
    }),
  );

  return router;
}
