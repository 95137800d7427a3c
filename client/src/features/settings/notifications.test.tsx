import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type FakeApi, fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeSite, makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();

const SETTINGS = makeSettings();

/** @param answer what becomes of the browser's leave when it is asked */
async function start(permission: NotificationPermission, answer = permission, prepare?: (api: FakeApi) => void) {
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
  api.on('GET /sites', { sites: [], limit: 3 });
  prepare?.(api);
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

const answers = () => screen.getByRole('switch', { name: 'Answer by mail' });

it('offers to answer by mail, together with the mails themselves', async () => {
  const { api, user } = await start('granted', 'granted', (api) =>
    api.on('GET /settings', { settings: SETTINGS, answerableMails: true }),
  );
  const needs = () => screen.queryByText('Needs email notifications.');
  await user.click(answers());
  expect([answers().getAttribute('aria-checked'), needs()]).toEqual(['true', null]);
  const mails = screen.getByRole('switch', { name: 'Email notifications' });
  await user.click(mails);
  expect(answers()).toHaveProperty('disabled', true);
  expect(needs()).toBeTruthy();
  await user.click(mails);
  const notifications = { ...SETTINGS.notifications, answerByMail: true };
  api.on('PATCH /settings', { settings: { ...SETTINGS, notifications }, answerableMails: true });
  await user.click(saveButton());
  expect(await screen.findByText('Notification settings saved')).toBeTruthy();
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'notifications', data: { answerByMail: true } });
  expect(answers()).toHaveProperty('disabled', false);
});

it('says why mails cannot be answered', async () => {
  await start('granted');
  expect(answers()).toHaveProperty('disabled', true);
  expect(screen.getByText(/This server does not read mails/)).toBeTruthy();
});

it('saves at once which canned reply the notifications of a website offer', async () => {
  const site = makeSite();
  const file = { name: 'map.png', mime: 'image/png', size: 10, url: '/api/files/x' };
  const replies = ['moment', 'map'].map((shortcut, at) => ({
    _id: String(at).repeat(24),
    siteId: site._id,
    shortcut,
    content: `The ${shortcut}`,
    personal: false,
    files: shortcut === 'map' ? [file] : [],
  }));
  const { api, user } = await start('granted', 'granted', (api) => {
    api.on('GET /sites', { sites: [site, makeSite({ name: 'Foreign', role: 'viewer', isOwner: false })], limit: 3 });
    api.on('GET /canned-replies', { replies, nextCursor: null });
  });
  const choice = () => screen.findByRole('combobox', { name: site.name });
  expect((await choice()).textContent).toBe('None');
  expect(screen.queryByRole('combobox', { name: 'Foreign' })).toBeNull();
  await waitFor(async () => expect(await choice()).toHaveProperty('disabled', false));
  const bySite = { [site._id]: replies[0]?._id ?? '' };
  api.on('PATCH /settings', { settings: { ...SETTINGS, quickReplies: { bySite } } });
  await user.click(await choice());
  // One with files cannot be sent from a notification.
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'None',
    '/momentThe moment',
  ]);
  await user.click(screen.getByRole('option', { name: /moment/ }));
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(api.asked('PATCH /settings').at(-1)?.body).toEqual({ section: 'quickReplies', data: { bySite } });
  expect((await choice()).textContent).toBe('/moment');
  await user.click(await choice());
  await user.click(await screen.findByRole('option', { name: 'None' }));
  await waitFor(() => expect(api.asked('PATCH /settings')).toHaveLength(2));
  expect(api.asked('PATCH /settings')[1]?.body).toMatchObject({ data: { bySite: { [site._id]: null } } });
});

it('says when the canned replies cannot be loaded, and tries again', async () => {
  const { api, user } = await start('granted', 'granted', (api) => {
    api.on('GET /sites', { sites: [makeSite()], limit: 3 });
    api.on('GET /canned-replies', new Refusal(400, { code: 'NO', message: 'No' }));
  });
  expect(await screen.findByText('The canned replies could not be loaded.')).toBeTruthy();
  api.on('GET /canned-replies', { replies: [], nextCursor: null });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/There are no canned replies yet/)).toBeTruthy();
});
