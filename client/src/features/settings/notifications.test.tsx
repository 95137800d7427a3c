import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();

const SETTINGS = makeSettings();

/** @param answer what becomes of the browser's leave when it is asked */
async function start(permission: NotificationPermission, answer = permission) {
  const browser = {
    permission,
    async requestPermission() {
      this.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal('Notification', browser);
  const api = fakeApi();
  api.on('GET /settings', { settings: SETTINGS });
  api.on('PATCH /settings', { settings: SETTINGS });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const started = startApp(routes, '/dashboard/settings?tab=notifications', { api, signedInAs: ANA });
  await screen.findByRole('switch', { name: 'Browser notifications' });
  return started;
}

function saveButton() {
  return within(screen.getByRole('tabpanel', { name: 'Notifications' })).getByRole('button', { name: 'Save' });
}

afterEach(() => {
  vi.unstubAllEnvs();
});

it('subscribes the browser to push messages when permission is given on save', async () => {
  vi.stubEnv('PROD', true);
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }) };
  const pushManager = { getSubscription: async () => null, subscribe: async () => subscription };
  const ready = Promise.resolve({ pushManager });
  const serviceWorker = { register: () => ready, ready };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }));
  const { api, user } = await start('default', 'granted');
  api.on('GET /push/key', { key: 'abc' });
  api.on('POST /push/subscriptions', {});
  await user.click(saveButton());
  await waitFor(() => expect(api.asked('POST /push/subscriptions')).toHaveLength(1));
});

it('shows when the browser blocks notifications that are switched on', async () => {
  const { user } = await start('denied');
  expect(screen.getByText(/This browser blocks notifications of Parley/)).toBeTruthy();
  await user.click(screen.getByRole('switch', { name: 'Browser notifications' }));
  expect(screen.queryByText(/This browser blocks notifications/)).toBeNull();
});

it('shows it as soon as the browser starts blocking them', async () => {
  const { user } = await start('default', 'denied');
  expect(screen.queryByText(/This browser blocks notifications/)).toBeNull();
  await user.click(saveButton());
  expect(await screen.findByText(/This browser blocks notifications of Parley/)).toBeTruthy();
});
