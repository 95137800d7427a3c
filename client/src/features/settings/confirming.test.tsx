import { screen, waitFor, within } from '@testing-library/react';
import type { SecuritySettings } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

/** The Security tab of somebody with two-factor sign-in on. */
function start() {
  const api = fakeApi();
  let settings = { ...makeSettings(), security: { twoFactorEnabled: true, sessionTimeout: 24 } as SecuritySettings };
  api.on('GET /settings', () => ({ settings }));
  api.on('GET /auth/sessions', { sessions: [] });
  api.on('PATCH /settings', () => ({ settings }));
  const change = (security: SecuritySettings) => {
    settings = { ...settings, security };
  };
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  return { ...startApp(routes, '/dashboard/settings?tab=security', { api, signedInAs: makeUser() }), change };
}

it('turns it off only with password and code', async () => {
  const { api, user, change } = start();
  api.on('POST /auth/two-factor/disable', ({ body }) => {
    const { currentPassword, recoveryCode } = body as { currentPassword: string; recoveryCode?: string };
    if (currentPassword !== 'right')
      return new Refusal(422, { code: 'VALIDATION_FAILED', message: 'The password is wrong.' });
    const errors = [{ path: 'recoveryCode', msg: 'This code is wrong or was already used' }];
    if (recoveryCode !== '7k2m-9qxw') return new Refusal(422, { code: 'VALIDATION_FAILED', message: 'No', errors });
    change({ twoFactorEnabled: false, sessionTimeout: 24 });
    return {};
  });
  const toggle = await screen.findByRole('switch', { name: 'Two-factor authentication' });
  await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('true'));
  await user.click(toggle);
  const dialog = within(await screen.findByRole('dialog', { name: 'Turn two-factor authentication off' }));
  await user.type(dialog.getByLabelText('Current password'), 'wrong{Enter}');
  expect(await dialog.findByText('Enter a code')).toBeTruthy();
  await user.type(dialog.getByLabelText('Code from the app, or a recovery code'), 'spent{Enter}');
  expect(await dialog.findByText('The password is wrong.')).toBeTruthy();
  await user.clear(dialog.getByLabelText('Current password'));
  await user.type(dialog.getByLabelText('Current password'), 'right{Enter}');
  expect(await dialog.findByText('This code is wrong or was already used')).toBeTruthy();
  await user.clear(dialog.getByLabelText('Code from the app, or a recovery code'));
  await user.type(dialog.getByLabelText('Code from the app, or a recovery code'), ' 7k2m-9qxw {Enter}');
  expect(await screen.findByText('Two-factor authentication is off')).toBeTruthy();
  await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('false'));
});

it('asks for the code in the forms of password and address, too, and sends it as what it is', async () => {
  const { api, user } = start();
  api.on('PUT /auth/password', {});
  const code = 'Code from the app, or a recovery code';
  const part = within(await screen.findByRole('region', { name: 'Password' }));
  await user.type(await part.findByLabelText(code), '123 456');
  await user.type(part.getByLabelText('Current password'), 'old secret');
  await user.type(part.getByLabelText('New password'), 'a much better one');
  await user.type(part.getByLabelText('Confirm new password'), 'a much better one{Enter}');
  await screen.findByText('Password changed successfully');
  expect(api.asked('PUT /auth/password')[0]?.body).toEqual({
    currentPassword: 'old secret',
    newPassword: 'a much better one',
    code: '123456',
  });
  await user.click(screen.getByRole('tab', { name: 'Account' }));
  const account = within(await screen.findByRole('tabpanel', { name: 'Account' }));
  await user.type(account.getByLabelText('Email'), 'x');
  await user.type(account.getByLabelText('Current password'), 'old secret');
  await user.type(account.getByLabelText(code), '7k2m-9qxw');
  await user.click(account.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Profile updated successfully');
  expect(api.asked('PATCH /settings')[0]?.body).toMatchObject({
    data: { currentPassword: 'old secret', recoveryCode: '7k2m-9qxw' },
  });
});
