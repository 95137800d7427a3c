import type { Router } from 'express';
import { PICTURE_BODY_LIMIT, type SignedInGuard, type UserDoc } from '#features/auth';
import { endpoints } from '#platform/http';
import { changeSettings, type SettingsDeps, settingsView } from './actions.ts';
import type { OwnSettings, SettingsApi } from './contract.ts';
import { acceptSection, settingsSchema } from './schemas.ts';

interface SettingsRouteDeps extends SettingsDeps {
  signedIn: SignedInGuard;
  /** Null: mails cannot be answered. */
  mailIn: object | null;
}

/** The REST calls of an account's settings. */
export function settingsRoutes(deps: SettingsRouteDeps): Router {
  const { router, on } = endpoints<SettingsApi>();
  const authenticate = deps.signedIn;
  const answer = (user: UserDoc): OwnSettings => ({
    settings: settingsView(user),
    ...(deps.mailIn && { answerableMails: true }),
  });

  on('GET /settings', { authenticate }, async ({ caller }) => ({ data: answer(caller.user) }));

  on(
    'PATCH /settings',
    { authenticate, body: settingsSchema, bodyLimit: PICTURE_BODY_LIMIT },
    async ({ caller, body }) => {
      const user = await changeSettings(deps, caller, await acceptSection(body));
      return { message: 'Settings saved', data: answer(user) };
    },
  );

  return router;
}
