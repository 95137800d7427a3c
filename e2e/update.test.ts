import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxOf } from './harness/dashboard.ts';
import { openSharedShop, type Shop, signedIn, visit } from './harness/shop.ts';

const SORRY = 'This part of Parley could not be loaded.';

let shop: Shop;
beforeAll(async () => {
  shop = await openSharedShop();
});
afterAll(() => shop.stop());

test('opening a screen offline keeps frame and outbox, and the screen loads when the network is back', async () => {
  const { chatId } = await visit(shop, { name: 'Mina' }, 'Is anybody there?');
  const page = await signedIn(shop, shop.owner, `/dashboard/inbox?chat=${chatId}`);
  const inbox = inboxOf(page);
  await expect.poll(inbox.messages).toEqual(['Is anybody there?']);
  await page.context().setOffline(true);
  await inbox.send('Written in a tunnel');
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByText(SORRY).waitFor();
  expect(await page.getByRole('button', { name: 'Log out' }).isVisible()).toBe(true);

  await page.context().setOffline(false);
  const stored = async () => {
    const { chat } = await shop.api('GET /chats/:id', { token: shop.owner.token, params: { id: chatId } });
    return chat.lastMessage;
  };
  await expect.poll(stored).toBe('Written in a tunnel');
  await page.getByRole('heading', { name: 'Team Management' }).waitFor();
  await page.context().close();
});

test('a dashboard left open during a server update loads the new version when an old file is gone', async () => {
  const page = await signedIn(shop, shop.owner, '/dashboard', { serviceWorkers: 'block' });
  await page.getByRole('heading', { name: 'Welcome back!' }).waitFor();
  // As after an update: the file is gone, and index.html names others.
  await page.route('**/assets/TeamPage-*.js', (route) => route.fulfill({ status: 404, body: '{}' }));
  let isUpdated = false;
  await page.route('**/dashboard/team', async (route) => {
    if (!isUpdated) return route.continue();
    if (route.request().isNavigationRequest()) {
      await page.unroute('**/assets/TeamPage-*.js');
      return route.continue();
    }
    const answer = await route.fetch();
    return route.fulfill({ response: answer, body: (await answer.text()).replaceAll('/assets/', '/assets/new-') });
  });
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByText(SORRY).waitFor();
  isUpdated = true;
  await page.getByRole('heading', { name: 'Team Management' }).waitFor();
  await page.context().close();
});

/** Parts of the dashboard in files of their own: where they are opened, by what, and what shows that they are there. */
const PARTS = [
  {
    what: 'a tab',
    file: 'Webhooks',
    path: () => `/dashboard/sites/${shop.site._id}`,
    open: (page: Page) => page.getByRole('tab', { name: 'Webhooks' }).click(),
    shown: (page: Page) => page.getByRole('button', { name: 'Add webhook' }),
  },
  {
    what: 'a dialog',
    file: 'FilterSheet',
    path: () => '/dashboard/inbox',
    open: (page: Page) => page.getByRole('button', { name: 'Filters' }).click(),
    shown: (page: Page) => page.getByRole('dialog', { name: 'Filter chats' }),
  },
  {
    what: 'a popover',
    file: 'NotificationList',
    path: () => '/dashboard',
    open: (page: Page) => page.getByRole('button', { name: /^Notifications/ }).click(),
    shown: (page: Page) => page.getByText('Nothing unread'),
  },
];

test.each(PARTS)('$what whose file is missing says so, and is there as soon as the file is', async (part) => {
  const page = await signedIn(shop, shop.owner, part.path(), { serviceWorkers: 'block' });
  await page.route(`**/assets/${part.file}-*.js`, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.reload();
  await part.open(page);
  await page.getByText(SORRY).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await page.unroute(`**/assets/${part.file}-*.js`);
  await part.shown(page).waitFor();
  expect(await page.getByText(SORRY).count()).toBe(0);
  await page.context().close();
});

test('a language whose file is missing is shown as soon as the file is there, and nobody is writing', async () => {
  const page = await signedIn(shop, shop.owner, '/dashboard/inbox', { serviceWorkers: 'block', locale: 'de-DE' });
  await page.clock.install();
  await page.route('**/assets/de-*.js', (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.reload();
  const english = page.getByRole('searchbox', { name: 'Search in the list' });
  await english.pressSequentially('cha');
  await page.unroute('**/assets/de-*.js');
  await page.clock.runFor('01:00');
  await page.keyboard.type('irs');
  expect(await english.inputValue()).toBe('chairs');
  await english.blur();
  await page.clock.resume();
  await page.getByRole('searchbox', { name: 'In der Liste suchen' }).waitFor();
  await page.context().close();
});

test('background tasks whose file could not be loaded are loaded with the next connection', async () => {
  const other = await signedIn(shop, shop.owner, '/dashboard', { serviceWorkers: 'block' });
  const page = await other.context().newPage();
  const connections: WebSocketRoute[] = [];
  await page.routeWebSocket('**/socket.io/**', (connection) => {
    connections.push(connection);
    connection.connectToServer();
  });
  await page.route('**/assets/BackgroundTasks-*.js', (route) =>
    connections.length > 1 ? route.continue() : route.abort(),
  );
  // Loaded when the page is idle, which is the last time that they are tried on this connection.
  const idle = page.waitForRequest('**/assets/ShortcutHelp-*.js');
  await page.goto(`${shop.parley.origin}/dashboard`);
  await idle;
  await expect.poll(() => connections.length).toBeGreaterThan(0);
  await connections[0]?.close();
  const goToTeam = async () => {
    for (const key of ['g', 't']) await page.keyboard.press(key);
    return new URL(page.url()).pathname;
  };
  await expect.poll(goToTeam).toBe('/dashboard/team');
  await page.context().close();
});
