import { SITE_SETTINGS_DEFAULTS } from 'server/contract';
import { expect, it } from 'vitest';
import { makeSite, makeUser } from '../../test/make.ts';
import { whyNotReceiving } from './notReceiving.ts';

const FINE = { user: makeUser(), sites: [makeSite()], connected: true, away: false, availability: {} };
const siteWith = (settings: Partial<typeof SITE_SETTINGS_DEFAULTS>) =>
  makeSite({ settings: { ...SITE_SETTINGS_DEFAULTS, ...settings } });

it('says nothing to a user who is given chats', () => {
  expect(whyNotReceiving(FINE)).toBeNull();
  expect(whyNotReceiving({ ...FINE, sites: [siteWith({ autoAssign: false }), makeSite()] })).toBeNull();
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
  expect(whyNotReceiving({ ...FINE, ...parts })).toMatch(reason);
});

const OAK = makeSite();
const oakIs = (open: boolean, online: boolean) => ({ [OAK._id]: { siteId: OAK._id, open, online } });
const closed = oakIs(false, false);
const empty = oakIs(true, false);

it('names the office hours as the reason when all websites are closed', () => {
  expect(whyNotReceiving({ ...FINE, sites: [OAK], availability: closed })).toMatch(/outside the office hours/);
  expect(whyNotReceiving({ ...FINE, sites: [OAK, makeSite()], availability: closed })).toBeNull();
});

it('tells until when the first of the closed websites is closed, and for which holiday', () => {
  const [later, sooner] = [makeSite(), makeSite()];
  const opensIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const isClosed = (site: typeof OAK, hours: number, holiday?: string) => ({
    [site._id]: { siteId: site._id, open: false, online: false, opensAt: opensIn(hours), ...(holiday && { holiday }) },
  });
  const reason = (availability: (typeof FINE)['availability']) =>
    whyNotReceiving({ ...FINE, sites: [later, sooner], availability });
  const weekday = new Date(opensIn(48)).toLocaleDateString('en', { weekday: 'long' });
  const far = isClosed(later, 200);
  expect(reason({ ...far, ...isClosed(sooner, 48, 'Christmas') })).toMatch(
    new RegExp(`^Closed until ${weekday}, .+ \\(Christmas\\): no chats are assigned now\\.$`),
  );
  expect(reason({ ...far, ...isClosed(sooner, 300) })).toMatch(/^Closed until [A-Z][a-z]{2} \d+, [^()]+: no chats/);
});

it('tells owners and admins that nobody else is online either', () => {
  const offline = { ...FINE, sites: [OAK], user: makeUser({ available: false }) };
  const told = /^You get no chats while you are offline. Nobody else is online either: visitors see the offline form./;
  expect(whyNotReceiving({ ...offline, availability: empty })).toMatch(told);
  expect(whyNotReceiving({ ...FINE, sites: [OAK], away: true, availability: empty })).toMatch(/Nobody else is online/);
  const both = { ...offline, sites: [OAK, makeSite()], availability: empty };
  expect(whyNotReceiving(both)).toMatch(/visitors on Oak and Line see the offline form/);
  const agent = { ...OAK, role: 'agent' as const, isOwner: false };
  for (const site of [agent, { ...OAK, widgetEnabled: false }])
    expect(whyNotReceiving({ ...offline, sites: [site], availability: empty })).not.toMatch(/Nobody else/);
  for (const availability of [{}, closed, oakIs(true, true)])
    expect(whyNotReceiving({ ...offline, availability })).not.toMatch(/Nobody else/);
});
