import type { Router } from 'express';
import { PICTURE_BODY_LIMIT, type SignedInGuard } from '#features/auth';
import { endpoints } from '#platform/http';
import { changeSettings, type SettingsDeps, settingsView } from './actions.ts';
import type { SettingsApi } from './contract.ts';
import { acceptSection, settingsSchema } from './schemas.ts';

/** The REST calls of an account's settings. */
export function settingsRoutes(deps: SettingsDeps & { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<SettingsApi>();
  const authenticate = deps.signedIn;

  on('GET /settings', { authenticate }, async ({ caller }) => ({ data: { settings: settingsView(caller.user) } }));

  on(
    'PATCH /settings',
    { authenticate, body: settingsSchema, bodyLimit: PICTURE_BODY_LIMIT },
    async ({ caller, body }) => {
      const user = await changeSettings(deps, caller, await acceptSection(body));
      return { message: 'Settings saved', data: { settings: settingsView(user) } };
    },
  );

  return router;
}
