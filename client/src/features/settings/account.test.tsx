import { screen, within } from '@testing-library/react';
import { type Settings, WIDGET_SETTINGS_DEFAULTS } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();
const SETTINGS: Settings = {
  account: { name: ANA.name, email: ANA.email, avatar: null },
  widget: WIDGET_SETTINGS_DEFAULTS,
  notifications: { emailNotifications: true, browserNotifications: true, soundEnabled: true },
  security: { twoFactorEnabled: false, sessionTimeout: 24 },
};

it('shows at the email field that another account has the address', async () => {
  const api = fakeApi();
  const message = 'An account with this email already exists';
  api.on('GET /settings', { settings: SETTINGS });
  api.on('PATCH /settings', new Refusal(409, { code: 'EMAIL_TAKEN', message }));
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const { user } = startApp(routes, '/dashboard/settings', { api, signedInAs: ANA });
  const email = await screen.findByLabelText('Email');
  await user.clear(email);
  await user.type(email, 'taken@example.com');
  const account = within(screen.getByRole('tabpanel', { name: 'Account' }));
  await user.type(account.getByLabelText('Current password'), 'right');
  await user.click(account.getByRole('button', { name: 'Save Changes' }));
  expect(await account.findByText(message)).toBeTruthy();
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(email);
});
