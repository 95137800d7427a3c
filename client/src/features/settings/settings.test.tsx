import { screen, waitFor, within } from '@testing-library/react';
import { type Settings, TOKEN_KEY } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();

const SETTINGS = makeSettings();

const DEVICES = [
  {
    _id: '00000000000000000000000a',
    current: true,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    createdAt: '2026-01-05T09:00:00.000Z',
    lastUsedAt: '2026-01-05T09:00:00.000Z',
  },
  {
    _id: '00000000000000000000000b',
    current: false,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    createdAt: '2026-01-05T09:00:00.000Z',
    lastUsedAt: '2026-01-05T09:00:00.000Z',
  },
];

function start(tab = '', { refused = false } = {}) {
  const api = fakeApi();
  let settings = SETTINGS;
  let answers = !refused;
  api.on('GET /settings', () => (answers ? { settings } : new Refusal(403, { code: 'FORBIDDEN', message: 'No.' })));
  api.on('GET /auth/sessions', { sessions: DEVICES });
  api.on('PATCH /settings', ({ body }) => {
    const { section, data } = body as { section: keyof Settings; data: object };
    settings = { ...settings, [section]: { ...settings[section], ...data } };
    return { settings };
  });
  const change = (part: Partial<Settings>) => {
    settings = { ...settings, ...part };
  };
  const mend = () => {
    answers = true;
  };
  const path = `/dashboard/settings${tab && `?tab=${tab}`}`;
  const routes = [{ path: '/dashboard/settings', Component: SettingsPage }];
  return { ...startApp(routes, path, { api, signedInAs: ANA }), change, mend };
}

describe('the settings', () => {
  it('have four tabs, with the open one in the address', async () => {
    const { user, path } = start();
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Account', 'Widget', 'Notifications', 'Security']);
    await user.click(screen.getByRole('tab', { name: 'Security' }));
    expect(path()).toBe('/dashboard/settings?tab=security');
  });

  it('show an error when they cannot be loaded, and retry', async () => {
    const { user, mend } = start('', { refused: true });
    expect(await screen.findByText('Your settings could not be loaded.')).toBeTruthy();
    mend();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', ANA.name);
  });
});

describe('the Account tab', () => {
  it('saves a name without asking for the password', async () => {
    const { api, user } = start();
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Ana Berg');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy();
    expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'account', data: { name: 'Ana Berg' } });
  });

  it('asks for the password before the email changes, and shows an error at its field', async () => {
    const { api, user } = start();
    const email = await screen.findByLabelText('Email');
    expect(screen.queryByText('A new email address needs your password.')).toBeNull();
    await user.clear(email);
    await user.type(email, 'new@example.com');
    const account = within(screen.getByRole('tabpanel', { name: 'Account' }));
    await user.click(account.getByRole('button', { name: 'Save Changes' }));
    expect(api.asked('PATCH /settings')).toEqual([]);
    api.on(
      'PATCH /settings',
      new Refusal(422, {
        code: 'VALIDATION_FAILED',
        message: 'Wrong',
        errors: [{ path: 'currentPassword', msg: 'That is not your password' }],
      }),
    );
    await user.type(account.getByLabelText('Current password'), 'guess');
    await user.click(account.getByRole('button', { name: 'Save Changes' }));
    expect(await account.findByText('That is not your password')).toBeTruthy();
    expect(email).toHaveProperty('value', 'new@example.com');
    expect(api.asked('PATCH /settings')[0]?.body).toEqual({
      section: 'account',
      data: { email: 'new@example.com', currentPassword: 'guess' },
    });
  });

  it('falls back to ‘Update failed’', async () => {
    const { api, user } = start();
    api.on('PATCH /settings', new Refusal(502, { code: 'BAD_GATEWAY', message: '' }));
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Update failed')).toBeTruthy();
  });
});

describe('the Widget tab', () => {
  it('starts with the defaults, shows a live preview, and saves', async () => {
    const { api, user } = start('widget');
    const title = await screen.findByLabelText('Title');
    expect(title).toHaveProperty('value', 'Chat with us');
    expect(screen.getByLabelText('Button text')).toHaveProperty('value', 'Need help?');
    expect(screen.getByRole('combobox', { name: 'Position' }).textContent).toContain('Bottom Right');
    expect(screen.getByLabelText('Primary color')).toHaveProperty('value', '#3B82F6');
    expect(screen.getByTitle('Preview of the widget').getAttribute('src')).toBe('/widget-preview/');
    await user.clear(title);
    await user.type(title, 'Talk to us');
    await user.click(screen.getByRole('button', { name: 'Save Widget Settings' }));
    expect(await screen.findByText('Widget settings saved')).toBeTruthy();
    expect(api.asked('PATCH /settings')[0]?.body).toEqual({
      section: 'widget',
      data: { title: 'Talk to us' },
    });
  });

  it('refuses an invalid colour', async () => {
    const { api, user } = start('widget');
    const colour = await screen.findByLabelText('Primary color');
    await user.clear(colour);
    await user.type(colour, 'blue');
    await user.click(screen.getByRole('button', { name: 'Save Widget Settings' }));
    expect(await screen.findByText('Enter a color like #3B82F6')).toBeTruthy();
    expect(api.asked('PATCH /settings')).toEqual([]);
  });
});

describe('the Notifications tab', () => {
  it('has three switches, all on by default, and saves them together', async () => {
    const { api, user } = start('notifications');
    const names = ['Email notifications', 'Browser notifications', 'Sound'];
    for (const name of names) {
      expect((await screen.findByRole('switch', { name })).getAttribute('aria-checked')).toBe('true');
    }
    await user.click(screen.getByRole('switch', { name: 'Sound' }));
    const tab = within(screen.getByRole('tabpanel', { name: 'Notifications' }));
    await user.click(tab.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Notification settings saved')).toBeTruthy();
    expect(api.asked('PATCH /settings')[0]?.body).toEqual({
      section: 'notifications',
      data: { soundEnabled: false },
    });
  });
});

describe('the Security tab', () => {
  it('offers the five session timeouts, 24 hours by default', async () => {
    const { api, user } = start('security');
    const timeout = await screen.findByRole('combobox', { name: 'Session timeout' });
    expect(timeout.textContent).toContain('24 hours');
    await user.click(timeout);
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      '1 hour',
      '6 hours',
      '12 hours',
      '24 hours',
      '1 week',
    ]);
    await user.click(screen.getByRole('option', { name: '1 week' }));
    const tab = within(screen.getByRole('tabpanel', { name: 'Security' }));
    await user.click(tab.getByRole('button', { name: 'Save' }));
    await screen.findByText('Security settings saved');
    expect(api.asked('PATCH /settings')[0]?.body).toEqual({ section: 'security', data: { sessionTimeout: 168 } });
  });

  it('sets up two-factor authentication with QR code, code and recovery codes', async () => {
    const { api, user, change } = start('security');
    api.on('POST /auth/two-factor/setup', {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Parley',
      qr: 'data:image/svg+xml;base64,PHN2Zy8+',
    });
    api.on('POST /auth/two-factor/enable', ({ body }) => {
      const { code, currentPassword } = body as { code: string; currentPassword: string };
      if (code !== '123456') return new Refusal(422, { code: 'INVALID_CODE', message: 'That code is wrong.' });
      const errors = [{ path: 'currentPassword', msg: 'Current password is incorrect' }];
      if (currentPassword !== 'right')
        return new Refusal(422, { code: 'VALIDATION_FAILED', message: 'Current password is incorrect', errors });
      change({ security: { twoFactorEnabled: true, sessionTimeout: 24 } });
      return { recoveryCodes: ['aaaa-1111', 'bbbb-2222'] };
    });
    const toggle = await screen.findByRole('switch', { name: 'Two-factor authentication' });
    expect(toggle.getAttribute('aria-checked')).toBe('false');
    await user.click(toggle);
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up two-factor authentication' }));
    expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
    expect(dialog.getByText('JBSWY3DPEHPK3PXP')).toBeTruthy();
    await user.type(dialog.getByLabelText('Code from the app'), '000000{Enter}');
    expect(await dialog.findByText('Enter your current password')).toBeTruthy();
    await user.type(dialog.getByLabelText('Current password'), 'wrong{Enter}');
    expect(await dialog.findByText('That code is wrong.')).toBeTruthy();
    await user.clear(dialog.getByLabelText('Code from the app'));
    await user.type(dialog.getByLabelText('Code from the app'), '123 456{Enter}');
    const password = dialog.getByLabelText('Current password');
    await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'));
    await user.clear(password);
    await user.type(password, 'right{Enter}');
    expect(await screen.findByText('bbbb-2222')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(toggle.getAttribute('aria-checked')).toBe('true'));
  });

  it('changes the password when the two new ones match', async () => {
    const { api, user } = start('security');
    api.on('PUT /auth/password', {});
    const part = within(await screen.findByRole('region', { name: 'Password' }));
    await user.type(part.getByLabelText('Current password'), 'old secret');
    await user.type(part.getByLabelText('New password'), 'a much better one');
    await user.type(part.getByLabelText('Confirm new password'), 'another one');
    await user.click(part.getByRole('button', { name: 'Change password' }));
    expect(await part.findByText('Passwords do not match')).toBeTruthy();
    expect(api.asked('PUT /auth/password')).toEqual([]);
    await user.clear(part.getByLabelText('Confirm new password'));
    await user.type(part.getByLabelText('Confirm new password'), 'a much better one');
    await user.click(part.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Password changed successfully')).toBeTruthy();
    expect(api.asked('PUT /auth/password')[0]?.body).toEqual({
      currentPassword: 'old secret',
      newPassword: 'a much better one',
    });
    expect(part.getByLabelText('New password')).toHaveProperty('value', '');
  });

  it('lists the devices, and signs another one out', async () => {
    const { api, user } = start('security');
    api.on('DELETE /auth/sessions/:id', {});
    const list = within(await screen.findByRole('region', { name: 'Signed-in devices' }));
    expect(await list.findByText('This device')).toBeTruthy();
    expect(list.getByText('Chrome 140 on Windows')).toBeTruthy();
    await user.click(list.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(list.queryByText('Chrome 140 on Windows')).toBeNull());
    expect(api.asked('DELETE /auth/sessions/:id')[0]?.params).toEqual({ id: DEVICES[1]?._id });
    expect(list.getByText('Firefox 133 on Linux')).toBeTruthy();
  });
});

describe('deleting the account', () => {
  it('asks for the password, shows why it is refused, and signs out afterwards', async () => {
    const { api, user } = start();
    api.on('DELETE /auth/account', new Refusal(409, { code: 'OWNS_SITES', message: 'Hand your websites over first.' }));
    await user.click(await screen.findByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }));
    await user.type(dialog.getByLabelText('Current password'), 'my secret{Enter}');
    expect(await dialog.findByText('Hand your websites over first.')).toBeTruthy();
    api.on('DELETE /auth/account', {});
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
    expect(await screen.findByText('Your account is deleted')).toBeTruthy();
    expect(api.asked('DELETE /auth/account')[0]?.body).toEqual({ currentPassword: 'my secret' });
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  });
});
