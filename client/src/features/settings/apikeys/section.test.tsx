import { screen, within } from '@testing-library/react';
import type { ApiKey } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../../test/api.ts';
import { startApp } from '../../../../test/app.tsx';
import { makeSettings, makeSite, makeUser } from '../../../../test/make.ts';
import SettingsPage from '../SettingsPage.tsx';

const [OAK, ELM] = [makeSite({ name: 'Oak' }), makeSite({ name: 'Elm' })];
const TILL: ApiKey = {
  _id: 'a'.repeat(24),
  name: 'Till',
  scope: 'reply',
  siteIds: [ELM._id],
  createdAt: '2026-01-05T09:00:00.000Z',
  expiresAt: '2026-01-06T09:00:00.000Z',
  lastUsedAt: null,
};
const KEY = `parley_${TILL._id}_${'0'.repeat(72)}`;

/** The Security tab of somebody with these API keys. */
async function open(apiKeys: ApiKey[]) {
  const api = fakeApi();
  api.on('GET /settings', { settings: makeSettings() });
  api.on('GET /auth/sessions', { sessions: [] });
  api.on('GET /sites', { sites: [OAK, ELM], limit: 3 });
  api.on('GET /api-keys', { apiKeys });
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  const started = startApp(routes, '/dashboard/settings?tab=security', { api, signedInAs: makeUser() });
  const section = within(await screen.findByRole('region', { name: 'API keys' }));
  return { ...started, section };
}

it('creates a key for some websites, shows what is missing at its field, and then the key this once', async () => {
  const { user, api, section } = await open([]);
  await user.click(await section.findByRole('button', { name: 'Create API key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }));
  const choose = async (field: string, option: string) => {
    await user.click(dialog.getByRole('combobox', { name: field }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  await choose('Permissions', 'Read and reply');
  expect(dialog.getByText(/^Also answers, claims/)).toBeTruthy();
  await choose('Websites', 'Only some');
  await choose('Expires', 'After 90 days');
  await user.click(dialog.getByRole('button', { name: 'Create API key' }));
  for (const wrong of ['Enter a name', 'Choose at least one website', 'Enter your current password'])
    expect(await dialog.findByText(wrong)).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Till');
  await user.click(dialog.getByRole('checkbox', { name: 'Elm' }));
  await user.type(dialog.getByLabelText('Current password'), 'quiet-otter');
  const errors = [{ path: 'currentPassword', msg: 'Current password is incorrect' }];
  api.on('POST /api-keys', new Refusal(422, { code: 'VALIDATION_FAILED', message: 'No', errors }));
  await user.click(dialog.getByRole('button', { name: 'Create API key' }));
  expect(await dialog.findByText('Current password is incorrect')).toBeTruthy();
  api.on('POST /api-keys', { apiKey: TILL, key: KEY });
  await user.click(dialog.getByRole('button', { name: 'Create API key' }));
  expect(await dialog.findByRole('textbox', { name: 'API key' })).toHaveProperty('value', KEY);
  expect(api.asked('POST /api-keys').at(-1)?.body).toEqual({
    name: 'Till',
    scope: 'reply',
    siteIds: [ELM._id],
    expiresInDays: 90,
    currentPassword: 'quiet-otter',
  });
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await section.findByText('Till')).toBeTruthy();
  expect(screen.queryByDisplayValue(KEY)).toBeNull();
});

it('lists keys, says beside the password that they outlast it, and revokes one', async () => {
  const { user, api, section } = await open([TILL, { ...TILL, _id: 'b'.repeat(24), name: 'Backup', siteIds: null }]);
  const [row] = await section.findAllByRole('listitem');
  expect(row?.textContent).toMatch(/^TillRead and replyExpiredElmNever used · Expired /);
  const password = within(screen.getByRole('region', { name: 'Password' }));
  expect(await password.findByText(/^Your 2 API keys keep working/)).toBeTruthy();
  api.on('DELETE /api-keys/:id', {});
  await user.click(section.getByRole('button', { name: 'Revoke Till' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Revoke API key' }));
  expect(question.getByText(/“Till” stop working at once/)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Revoke' }));
  expect(await password.findByText(/^Your API key keeps working/)).toBeTruthy();
  expect(api.asked('DELETE /api-keys/:id')[0]?.params).toEqual({ id: TILL._id });
});
