import { screen, within } from '@testing-library/react';
import type { SecuritySettings } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

const SINCE = { connection: { since: '2026-01-05T09:00:00.000Z' } };
const WRONG = new Refusal(422, {
  code: 'VALIDATION_FAILED',
  message: 'No',
  errors: [{ path: 'currentPassword', msg: 'The password is wrong.' }],
});

/** The part of the Security tab about the provider. */
async function start({ connected = true, only = false, hash = '', security = {} as Partial<SecuritySettings> } = {}) {
  const api = fakeApi();
  const settings = makeSettings();
  api.on('GET /settings', { settings: { ...settings, security: { ...settings.security, ...security } } });
  api.on('GET /auth/sessions', { sessions: [] });
  api.on('GET /auth/oidc', { provider: { name: 'Acme ID', only } });
  api.on('GET /auth/oidc/connection', connected ? SINCE : { connection: null });
  api.on('POST /auth/oidc/connection', ({ body }) =>
    Object(body).ticket === 'good'
      ? SINCE
      : new Refusal(409, { code: 'OIDC_EXPIRED', message: 'This sign-in has expired. Please try again.' }),
  );
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const path = `/dashboard/settings?tab=security${hash}`;
  const app = startApp(routes, path, { api, signedInAs: makeUser() });
  const part = within(await screen.findByRole('region', { name: 'Sign-in with Acme ID' }));
  return { ...app, part };
}

it('asks for the password before it goes to the provider to connect the account', async () => {
  const { api, user, part } = await start({ connected: false });
  api.on('POST /auth/oidc/connect', WRONG);
  await user.click(await part.findByRole('button', { name: 'Connect Acme ID' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Acme ID' }));
  await user.type(dialog.getByLabelText('Current password'), 'a guess{Enter}');
  expect(await dialog.findByText('The password is wrong.')).toBeTruthy();
  expect(api.asked('POST /auth/oidc/connect')[0]?.body).toEqual({ currentPassword: 'a guess' });
});

it('is connected by the ticket with which the provider sends back', async () => {
  const { part } = await start({ connected: false, hash: '#oidc=good' });
  expect(await screen.findByText('Connected with Acme ID')).toBeTruthy();
  expect(part.getByRole('button', { name: 'Disconnect' })).toBeTruthy();
});

it('says why a ticket does not work', async () => {
  const { part } = await start({ connected: false, hash: '#oidc=late' });
  expect(await screen.findByText('This sign-in has expired. Please try again.')).toBeTruthy();
  expect(part.getByRole('button', { name: 'Connect Acme ID' })).toBeTruthy();
});

it('is disconnected with the password', async () => {
  const { api, user, part } = await start();
  api.on('DELETE /auth/oidc/connection', ({ body }) => (Object(body).currentPassword === 'right' ? {} : WRONG));
  await user.click(await part.findByRole('button', { name: 'Disconnect' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Acme ID' }));
  const field = dialog.getByLabelText('Current password');
  await user.type(field, 'wrong{Enter}');
  expect(await dialog.findByText('The password is wrong.')).toBeTruthy();
  await user.clear(field);
  await user.type(field, 'right{Enter}');
  expect(await part.findByRole('button', { name: 'Connect Acme ID' })).toBeTruthy();
});

it('cannot be disconnected by somebody without a password, who could not sign in any more', async () => {
  const { part } = await start({ security: { passwordless: true } });
  expect(await part.findByText('Set a password before you disconnect it.')).toBeTruthy();
  expect(part.queryByRole('button')).toBeNull();
});

it('cannot be disconnected where there are no passwords', async () => {
  const { part } = await start({ only: true });
  expect(await part.findByText('Connected since January 5, 2026')).toBeTruthy();
  expect(part.queryByRole('button')).toBeNull();
});
