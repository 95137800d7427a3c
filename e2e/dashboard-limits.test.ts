import type { BrowserContextOptions } from 'playwright-core';
import { PAGE_LIMIT_DEFAULT } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import { addChats } from './harness/database.ts';
import { openSharedShop, PASSWORD, type Shop, signedIn, visit } from './harness/shop.ts';

const CHATS = 200;
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let shop: Shop;
let chatId: string;
beforeAll(async () => {
  shop = await openSharedShop();
  await addChats(shop, CHATS);
  ({ chatId } = await visit(shop, { name: 'Mina Park' }, 'Is it in stock?'));
});
afterAll(() => shop.stop());

test('a phone that shows a chat does not load the list behind it', async () => {
  const page = await signedIn(shop, shop.owner, '/docs', PHONE);
  const lists: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/chats') lists.push(search);
  });
  await page.goto(`${shop.parley.origin}/dashboard/inbox?chat=${chatId}`);
  await page.getByText('Is it in stock?').last().waitFor();
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('Yes');
  await composer.press('Enter');
  // Every event of a chat renders the list again.
  await page.getByText('Read').or(page.getByText('Sent')).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(lists.filter((search) => search.includes('cursor'))).toEqual([]);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  const list = page.getByRole('list', { name: 'Chats', exact: true });
  await list.getByText('Visitor 1', { exact: true }).waitFor();
  await list.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect.poll(() => lists.filter((search) => search.includes('cursor')).length).toBeGreaterThan(0);
});

test('a list on a desktop loads each page once when scrolled to its end, and another list starts at its top', async () => {
  const page = await signedIn(shop, shop.owner, '/docs');
  const cursors: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/chats') cursors.push(searchParams.get('cursor') ?? '');
  });
  await page.goto(`${shop.parley.origin}/dashboard/inbox`);
  const list = page.getByRole('list', { name: 'Chats', exact: true });
  const view = list.locator('..');
  await list.getByText('Visitor 1', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(cursors.filter(Boolean)).toEqual([]);
  const toEnd = async () => {
    await view.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    return list.getByText(`Visitor ${CHATS}`, { exact: true }).isVisible();
  };
  await expect.poll(toEnd).toBe(true);
  const pages = cursors.filter(Boolean);
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages).toHaveLength(Math.ceil((CHATS + 1) / PAGE_LIMIT_DEFAULT) - 1);
  await page.getByRole('button', { name: 'closed', exact: true }).click();
  await list.getByText('Visitor 1', { exact: true }).waitFor();
  await view.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
  // It is in the cache, so it is rendered at once.
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await list.getByText('Mina Park').waitFor();
  expect(await view.evaluate((box) => box.scrollTop)).toBe(0);
  await page.context().close();
});

test('the dashboard works without browser storage', async () => {
  const page = await (await newContext(shop.browser)).newPage();
  const { origin } = shop.parley;
  const problems = watch(page, origin);
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    // As in Chromium with blocked cookies.
    for (const name of ['request', 'query'] as const)
      LockManager.prototype[name] = () => Promise.reject(new DOMException('blocked', 'SecurityError'));
  });
  await page.goto(`${origin}/login`);
  await page.getByLabel('Email').fill(shop.owner.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.getByRole('link', { name: 'Chat Inbox' }).first().click();
  const chats = page.getByRole('list', { name: 'Chats', exact: true });
  await chats.getByRole('link', { name: /Mina Park/ }).click();
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('It is in stock');
  await composer.press('Enter');
  await page.getByText('It is in stock').last().waitFor();
  await expect.poll(inboxOf(page).state).toMatch(/Sent|Delivered|Read/);
  await page.getByRole('link', { name: 'Sites' }).first().click();
  await page.getByRole('link', { name: 'Add Website' }).first().click();
  await page.getByLabel('Site name').fill('Half');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(`${origin}/`);
  await page.getByText('Logged out successfully').waitFor();
  expect(problems).toEqual([]);
});
