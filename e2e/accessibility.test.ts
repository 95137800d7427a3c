import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { type BusyShop, openBusyShop } from './harness/busy-shop.ts';
import { axeProblems, checkScreens } from './harness/screen-checks.ts';

let shop: BusyShop;
beforeAll(async () => {
  shop = await openBusyShop();
});
afterAll(() => shop.stop());

const screens = (...paths: string[]) => paths.map((path) => ({ path }));

test('axe finds no problems in the public screens', async () => {
  const page = await (await newContext(shop.browser)).newPage();
  const problems = watch(page, shop.parley.origin);
  const tabs = [
    'embed-code',
    'install',
    'api-endpoints',
    'javascript-api',
    'webhooks',
    'examples',
    'move-in',
    'departments',
  ].map((tab) => `/docs?tab=${tab}`);
  const auth = ['/login', '/register', '/forgot', '/reset#a-token', `/invite/${shop.ids.invite}`];
  const site = ['/', '/features', '/roadmap', '/status', '/privacy', '/404'];
  const found = await checkScreens(page, shop.parley.origin, screens(...site, ...auth, '/docs', ...tabs));
  expect([...found, ...problems]).toEqual([]);
});

test('axe finds no problems in the screens of the dashboard', async () => {
  const { site, open, waiting, closed, invite } = shop.ids;
  const dashboard = ['', '/history', '/team', '/visitors', '/reports', '/self-check'].map(
    (path) => `/dashboard${path}`,
  );
  const inbox = ['', `?chat=${open}`, `?chat=${waiting}`, `?chat=${closed}`].map((chat) => `/dashboard/inbox${chat}`);
  const settings = ['account', 'widget', 'notifications', 'security'].map((tab) => `/dashboard/settings?tab=${tab}`);
  const ofSite = [
    '',
    '?tab=customization',
    '?tab=team',
    '?tab=departments',
    '?tab=embed',
    '?tab=webhooks',
    '/team',
    '/visitors',
    ...['settings', 'try', 'tests', 'handed-over'].map((tab) => `/assistant?tab=${tab}`),
    '/chats',
    `/chats?chat=${open}`,
  ];
  const sites = ['', '/new', ...ofSite.map((path) => `/${site}${path}`)].map((path) => `/dashboard/sites${path}`);
  const paths = [...dashboard, ...inbox, ...settings, ...sites, `/invite/${invite}`, '/admin'];
  const found = await checkScreens(shop.staff, shop.parley.origin, screens(...paths));
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});

test('axe finds no problems in the widget, open or closed', async () => {
  const { api, ids, owner, visitor, widget } = shop;
  const found: string[] = [];
  for (const [i, colorScheme] of (['light', 'dark'] as const).entries()) {
    await visitor.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await visitor.reload();
    await expect.poll(widget.messages).toHaveLength(2 + i);
    found.push(...(await axeProblems(visitor)));
    await widget.launcher.click();
    await widget.composer.waitFor({ state: 'hidden' });
    found.push(...(await axeProblems(visitor)));
    const body = { content: 'Shall I put one aside for you?' };
    await api('POST /chats/:id/messages', { token: owner.token, params: { id: ids.open }, body });
    await visitor.locator('parley-widget .teaser').waitFor();
    found.push(...(await axeProblems(visitor)));
    await widget.open();
  }
  expect([...found, ...shop.problems.flat()]).toEqual([]);
});
