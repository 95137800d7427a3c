import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeSite, makeUser } from '../../../test/make.ts';
import { chooseLanguage } from '../../lib/languages.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();
const SETTINGS = makeSettings();

it('shows at the email field that another account uses the address', async () => {
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

it('lists the websites that prevent deletion, before it asks for the password', async () => {
  const api = fakeApi();
  api.on('GET /settings', { settings: SETTINGS });
  api.on('GET /sites', { sites: [makeSite({ name: 'Oak and Line' }), makeSite({ isOwner: false })], limit: 3 });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const { user } = startApp(routes, '/dashboard/settings', { api, signedInAs: ANA });
  await user.click(await screen.findByRole('button', { name: 'Delete account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }));
  expect(await dialog.findByText(/^You still own Oak and Line\./)).toBeTruthy();
  expect(dialog.getByRole('link', { name: 'Your websites' }).getAttribute('href')).toBe('/dashboard/sites');
  expect(dialog.queryByLabelText('Current password')).toBeNull();
});

it('saves at once after how long without input one is away', async () => {
  const api = fakeApi();
  api.on('GET /settings', { settings: SETTINGS });
  api.on('PATCH /settings', { settings: { ...SETTINGS, availability: { autoAwayMinutes: 10 } } });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const { user } = startApp(routes, '/dashboard/settings', { api, signedInAs: ANA });
  await user.click(await screen.findByRole('combobox', { name: 'Show me as away' }));
  await user.click(await screen.findByRole('option', { name: 'After 10 minutes' }));
  expect(await screen.findByText('Saved')).toBeTruthy();
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'availability', data: { autoAwayMinutes: 10 } });
  expect(screen.getByRole('combobox', { name: 'Show me as away' }).textContent).toBe('After 10 minutes');
});

it('shows the dashboard in the language that one chooses, and keeps what is typed', async () => {
  const api = fakeApi();
  api.on('GET /settings', { settings: SETTINGS });
  api.on('PATCH /settings', { settings: { ...SETTINGS, language: { language: 'ar' } } });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const { user } = startApp(routes, '/dashboard/settings', { api, signedInAs: ANA });
  const name = await screen.findByLabelText('Name');
  await user.type(name, '!');
  await user.click(screen.getByRole('combobox', { name: 'Language of the dashboard' }));
  await user.click(await screen.findByRole('option', { name: 'العربية' }));
  await waitFor(() => expect(document.documentElement).toMatchObject({ lang: 'ar', dir: 'rtl' }));
  expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'language', data: { language: 'ar' } });
  expect(screen.getByDisplayValue(`${ANA.name}!`)).toBeTruthy();
  await chooseLanguage(undefined);
  expect(document.documentElement).toMatchObject({ lang: 'en', dir: 'ltr' });
});

it('shows the language of the account, on a computer that has never heard of it', async () => {
  const api = fakeApi();
  api.on('GET /settings', { settings: SETTINGS });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  startApp(routes, '/dashboard/settings', { api, signedInAs: { ...ANA, language: 'de' } });
  await waitFor(() => expect(document.documentElement.lang).toBe('de'));
  expect(localStorage.getItem('parley_language')).toBe('de');
  await chooseLanguage(undefined);
});
