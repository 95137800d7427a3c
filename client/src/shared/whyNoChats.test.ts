import { SITE_SETTINGS_DEFAULTS } from 'server/contract';
import { expect, it } from 'vitest';
import { makeSite, makeUser } from '../../test/make.ts';
import { whyNoChats } from './whyNoChats.ts';

const FINE = { user: makeUser(), sites: [makeSite()], connected: true, away: false };
const siteWith = (settings: Partial<typeof SITE_SETTINGS_DEFAULTS>) =>
  makeSite({ settings: { ...SITE_SETTINGS_DEFAULTS, ...settings } });

it('says nothing to a user who is given chats', () => {
  expect(whyNoChats(FINE)).toBeNull();
  expect(whyNoChats({ ...FINE, sites: [siteWith({ autoAssign: false }), makeSite()] })).toBeNull();
});

it.each([
  ['a lost connection', { connected: false }, /connection is back/],
  ['no team', { sites: [] }, /team of no website/],
  ['only reading', { sites: [makeSite({ role: 'viewer', isOwner: false })] }, /role is viewer/],
  ['being offline', { user: makeUser({ available: false }) }, /Switch to Online/],
  ['being away', { user: makeUser({ autoAwayMinutes: 10 }), away: true }, /no input for 10 minutes/],
  ['a widget that is off', { sites: [makeSite({ widgetEnabled: false })] }, /widget is switched off/],
  ['offline mode', { sites: [siteWith({ offlineMode: true })] }, /shown as offline/],
  ['no assignment', { sites: [siteWith({ autoAssign: false })] }, /claim them from the list/],
])('names %s as the reason', (_what, parts, reason) => {
  expect(whyNoChats({ ...FINE, ...parts })).toMatch(reason);
});
