import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import { useShortcuts } from '../../lib/keyboard.ts';
import { useLiveSettings } from './api.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();
const OFF = makeSettings({ keyboard: { singleKeyShortcuts: false } });

let pressed: string[] = [];
const KEYMAP = Object.fromEntries(['j', 'Escape'].map((key) => [key, () => void pressed.push(key)]));

/** The settings, on a screen with two shortcuts. */
function Page() {
  useShortcuts(KEYMAP);
  useLiveSettings();
  return <SettingsPage />;
}

async function start(signedInAs = ANA) {
  const api = fakeApi();
  api.on('GET /settings', { settings: signedInAs === ANA ? makeSettings() : OFF });
  api.on('PATCH /settings', ({ body }) => {
    const { singleKeyShortcuts } = (body as { data: { singleKeyShortcuts: boolean } }).data;
    api.on('GET /auth/profile', { user: singleKeyShortcuts ? ANA : { ...ANA, singleKeyShortcuts } });
    return { settings: makeSettings({ keyboard: { singleKeyShortcuts } }) };
  });
  const routes = [{ path: '/dashboard/settings', Component: Page }];
  const app = startApp(routes, '/dashboard/settings', { api, signedInAs });
  const chosen = () => screen.getByRole('switch', { name: 'Single-key shortcuts' }).getAttribute('aria-checked');
  await screen.findByRole('switch', { name: 'Single-key shortcuts' });
  /** What shortcuts do when these keys are pressed. */
  const press = async () => {
    pressed = [];
    await app.user.keyboard('j{Escape}');
    return pressed;
  };
  return { ...app, chosen, press };
}

it('turns single-key shortcuts off for the user, and on again', async () => {
  const { api, user, chosen, press } = await start();
  expect(await press()).toEqual(['j', 'Escape']);
  await user.click(screen.getByRole('switch', { name: 'Single-key shortcuts' }));
  expect(chosen()).toBe('false');
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'keyboard', data: { singleKeyShortcuts: false } });
  await waitFor(async () => expect(await press()).toEqual(['Escape']));
  await user.click(screen.getByRole('switch', { name: 'Single-key shortcuts' }));
  await waitFor(async () => expect(await press()).toEqual(['j', 'Escape']));
  expect(localStorage.getItem('parley_single_keys')).toBeNull();
});

it('knows from the account that they are off, on a computer that has never heard of it', async () => {
  const { chosen, press } = await start({ ...ANA, singleKeyShortcuts: false });
  expect(chosen()).toBe('false');
  expect(await press()).toEqual(['Escape']);
});

it('stops them as soon as another tab or device turns them off', async () => {
  const { api, socket, chosen, press } = await start();
  api.on('GET /settings', { settings: OFF });
  api.on('GET /auth/profile', { user: { ...ANA, singleKeyShortcuts: false } });
  await waitFor(() => {
    act(() => socket.tell('account_updated'));
    expect(chosen()).toBe('false');
  });
  await waitFor(async () => expect(await press()).toEqual(['Escape']));
});

it('shows that they are still on when it could not be saved', async () => {
  const { api, user, chosen, press } = await start();
  api.on('PATCH /settings', new Refusal(503, { code: 'STORAGE_FAILED', message: 'Not now.' }));
  await user.click(screen.getByRole('switch', { name: 'Single-key shortcuts' }));
  expect(await screen.findByText('Not now.')).toBeTruthy();
  expect(chosen()).toBe('true');
  expect(await press()).toEqual(['j', 'Escape']);
});
