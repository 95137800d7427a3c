import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusyShop, openBusyShop } from './harness/busy-shop.ts';
import { checkScreens } from './harness/screen-checks.ts';

let shop: BusyShop;
beforeAll(async () => {
  shop = await openBusyShop();
});
afterAll(() => shop.stop());

test('axe finds no problems in dialogs, menus and panels of the inbox', async () => {
  const path = `/dashboard/inbox?chat=${shop.ids.open}`;
  await shop.api('POST /inbox/views', { token: shop.owner.token, body: { name: 'Parcels' } });
  const found = await checkScreens(shop.staff, shop.parley.origin, [
    { path, press: ['More'], shows: 'menu' },
    { path, press: ['More', 'Hand to a teammate'], shows: 'dialog' },
    { path, press: ['More', 'Delete chat'], shows: 'alertdialog' },
    { path, press: ['Emoji'], shows: 'dialog' },
    { path, press: ['Edit contact details'], shows: 'dialog' },
    { path, press: ['Canned replies'], shows: 'listbox' },
    { path, press: ['Note'] },
    { path: `${path}&at=1`, press: ['Search in this chat'] },
    { path: '/dashboard/inbox?tag=parcel&agent=none&unread=yes' },
    { path: '/dashboard/inbox', press: ['Filters'], shows: 'dialog' },
    { path: '/dashboard/inbox?tag=parcel', press: ['View: Chat Inbox'], shows: 'menu' },
    { path: '/dashboard/inbox?tag=parcel', press: ['View: Chat Inbox', 'Save this view'], shows: 'dialog' },
    { path: '/dashboard/inbox', press: ['View: Parcels', 'Manage views'], shows: 'dialog' },
  ]);
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});

test('axe finds no problems in dialogs of websites, teams, history, visitors and settings', async () => {
  const { site, closed } = shop.ids;
  const ofSite = `/dashboard/sites/${site}`;
  const security = '/dashboard/settings?tab=security';
  const found = await checkScreens(shop.staff, shop.parley.origin, [
    { path: '/dashboard/sites', press: ['Show Embed Code'] },
    { path: '/dashboard/sites', press: ['Delete Example shop'], shows: 'alertdialog' },
    { path: ofSite, press: ['More'] },
    { path: ofSite, press: ['More', 'Edit canned replies'], shows: 'dialog' },
    { path: ofSite, press: ['More', 'Hand over'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Invite Team Member'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Edit Ben Ito'], shows: 'dialog' },
    { path: '/dashboard/team', press: ['Remove Ben Ito'], shows: 'alertdialog' },
    { path: '/dashboard/history', press: ['Filters'] },
    { path: '/dashboard/history', press: ['Export'], shows: 'menu' },
    { path: `/dashboard/history?chat=${closed}`, shows: 'dialog' },
    { path: security, press: ['Two-factor authentication'], shows: 'dialog' },
    { path: '/dashboard/settings', press: ['Delete account'], shows: 'dialog' },
    { path: '/admin', press: ['Actions for Ben Ito'], shows: 'menu' },
  ]);
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});
