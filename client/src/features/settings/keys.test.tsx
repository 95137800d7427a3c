import { screen } from '@testing-library/react';
import { WIDGET_SETTINGS_DEFAULTS } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { useShortcuts } from '../../lib/keyboard.ts';
import SettingsPage from './SettingsPage.tsx';

const ANA = makeUser();
let pressed = '';

function Page() {
  useShortcuts({ j: () => (pressed += 'j'), '?': () => (pressed += '?') });
  return <SettingsPage />;
}

it('turns single-key shortcuts off on this computer, at once', async () => {
  const api = fakeApi();
  api.on('GET /settings', {
    settings: {
      account: { name: ANA.name, email: ANA.email, avatar: null },
      widget: WIDGET_SETTINGS_DEFAULTS,
      notifications: { emailNotifications: true, browserNotifications: false, soundEnabled: true },
      security: { twoFactorEnabled: false, sessionTimeout: 24 },
      availability: { autoAwayMinutes: 0 },
    },
  });
  const routes = [{ path: '/dashboard/settings', Component: Page }];
  const { user } = startApp(routes, '/dashboard/settings', { api, signedInAs: ANA });
  const keys = await screen.findByRole('switch', { name: 'Single-key shortcuts' });
  await user.keyboard('j?');
  expect(pressed).toBe('j?');
  await user.click(keys);
  expect(keys.getAttribute('aria-checked')).toBe('false');
  await user.keyboard('j?');
  expect(pressed).toBe('j?');
  await user.click(keys);
  await user.keyboard('j');
  expect(pressed).toBe('j?j');
});
