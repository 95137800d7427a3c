import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import type { Settings } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import { drafts } from '../../lib/drafts.ts';
import { useLiveSettings } from './api.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();
const SETTINGS = makeSettings();

/** The settings, kept up to date as on every screen, with a way out. */
function Page() {
  useLiveSettings();
  return (
    <>
      <Link to="/dashboard">Your chats</Link>
      <SettingsPage />
    </>
  );
}

function start(tab = '') {
  const api = fakeApi();
  let settings = SETTINGS;
  api.on('GET /settings', () => ({ settings }));
  api.on('PATCH /settings', ({ body }) => {
    const { section, data } = body as { section: keyof Settings; data: object };
    settings = { ...settings, [section]: { ...settings[section], ...data } };
    return { settings };
  });
  const change = (part: Partial<Settings>) => {
    settings = { ...settings, ...part };
  };
  const routes = [
    { path: '/dashboard/settings', Component: Page },
    { path: '/dashboard', element: 'Home screen' },
  ];
  return { ...startApp(routes, `/dashboard/settings${tab && `?tab=${tab}`}`, { api, signedInAs: ANA }), change };
}

const tell = async (socket: ReturnType<typeof start>['socket'], until: () => void) =>
  waitFor(() => {
    act(() => socket.tell('account_updated'));
    until();
  });

it('keeps what is not saved when another tab or device saves something else, and is all that is sent', async () => {
  const { api, user, socket, change } = start('notifications');
  const tab = within(await screen.findByRole('tabpanel', { name: 'Notifications' }));
  const isOn = (name: string) => tab.getByRole('switch', { name }).getAttribute('aria-checked');
  await user.click(tab.getByRole('switch', { name: 'Sound' }));
  change({ notifications: { ...SETTINGS.notifications, emailNotifications: false } });
  await tell(socket, () => expect(isOn('Email notifications')).toBe('false'));
  expect(isOn('Sound')).toBe('false');
  await user.click(tab.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Notification settings saved')).toBeTruthy();
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'notifications', data: { soundEnabled: false } });
  expect(drafts.keys('')).toEqual([]);
});

it('shows what is not saved beside what another device has saved, until the user chooses', async () => {
  const { api, user, socket, change } = start();
  const name = await screen.findByLabelText('Name');
  await user.type(name, '!');
  change({ account: { ...SETTINGS.account, name: 'Ana Berg' } });
  const conflict = () =>
    within(screen.getByText('Somebody else has changed this meanwhile.').closest('div') as HTMLElement);
  await tell(socket, () => expect(conflict().getByText('Ana Berg')).toBeTruthy());
  expect(name).toHaveProperty('value', `${ANA.name}!`);
  await user.click(conflict().getByRole('button', { name: 'Save mine instead' }));
  expect(await screen.findByText('Profile updated successfully')).toBeTruthy();
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'account', data: { name: `${ANA.name}!` } });
  expect(screen.queryByText('Somebody else has changed this meanwhile.')).toBeNull();
});

it('keeps what is not saved for later, without passwords, and asks before one leaves', async () => {
  const first = start();
  await first.user.type(await screen.findByLabelText('Name'), '!');
  await first.user.type(screen.getByLabelText('Email'), '.org');
  const account = within(screen.getByRole('tabpanel', { name: 'Account' }));
  await first.user.type(account.getByLabelText('Current password'), 'secret');
  expect(JSON.stringify({ ...localStorage })).not.toContain('secret');
  cleanup();
  const { user, path } = start();
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', `${ANA.name}!`);
  await user.click(screen.getByRole('link', { name: 'Your chats' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(path()).toBe('/dashboard'));
  expect(drafts.keys('')).toEqual([]);
});
