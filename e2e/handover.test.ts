import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import type { Host } from './harness/host-page.ts';
import { axeProblems } from './harness/screen-checks.ts';
import {
  type Account,
  addMember,
  hostPageOf,
  openSharedShop,
  ownerAt,
  type Shop,
  say,
  signedIn,
  visit,
} from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 } };
/** The folder for screenshots, if somebody wants to look at them. */
const SHOTS = process.env.SHOTS;

let shop: Shop;
let host: Host;
let mate: Account;
let desk: Page;

beforeAll(async () => {
  shop = await openSharedShop();
  mate = await addMember(shop, 'Mate Horvat', 'agent');
  host = await hostPageOf(shop);
  desk = await ownerAt(shop, '/dashboard/inbox', DESKTOP);
  const { token } = shop.owner;
  const settings = { visitorPages: true, autoAssign: false };
  await shop.api('PATCH /sites/:id', { token, params: { id: shop.site._id }, body: { settings } });
});
afterAll(async () => {
  await host.stop();
  await shop.stop();
});

const look = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
};

/** A page of the shop with a visitor. */
async function shopPage(options: object): Promise<Page> {
  const page = await (await newContext(shop.browser, options)).newPage();
  await page.goto(host.url);
  return page;
}

/** The agent starts a chat with the only visitor who has none. */
async function reach(content: string): Promise<void> {
  const { token } = shop.owner;
  const there = async () => {
    const { visitors } = await shop.api('GET /sites/:id/visitors', { token, params: { id: shop.site._id } });
    return visitors.find(({ openChatId }) => openChatId === null)?._id;
  };
  await expect.poll(there).toBeTruthy();
  await shop.api('POST /visitors/:id/chats', { token, params: { id: (await there()) ?? '' }, body: { content } });
}

test('a chat handed to a teammate notifies the teammate on any screen, and shows the visitor who answers', async () => {
  const page = await shopPage(DESKTOP);
  const widget = widgetOf(page);
  await widget.open();
  await widget.send('Do you ship to Norway?');
  const inbox = desk.getByRole('region', { name: 'Chat list' });
  await inbox.getByRole('link', { name: /Do you ship to Norway/ }).click();
  await desk.getByRole('button', { name: 'Claim' }).last().click();
  const header = page.locator('parley-widget .status');
  await expect.poll(() => header.textContent()).toMatch(/Talking with/);

  const other = await signedIn(shop, mate, '/dashboard', { ...DESKTOP, colorScheme: 'dark' });
  await other.getByRole('heading', { name: 'Welcome back!' }).waitFor();
  // What shows the notification is loaded after the screen.
  await other.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('BackgroundTasks')),
  );
  const team = () => shop.api('GET /team/members', { token: shop.owner.token, query: { siteId: shop.site._id } });
  await expect.poll(async () => (await team()).members.every(({ online }) => online)).toBe(true);
  const chats = await shop.api('GET /chats', { token: shop.owner.token });
  const id = chats.chats[0]?._id ?? '';
  // He may have opened it before, so the notification does not depend on unread messages.
  await expect
    .poll(async () => (await shop.api('GET /chats/:id', { token: mate.token, params: { id } })).chat.unread)
    .toBe(0);
  const give = (userId: string | null) =>
    shop.api('POST /chats/:id/transfer', { token: shop.owner.token, params: { id }, body: { userId } });
  await give(mate.user._id);
  const toast = other.getByText(/handed you the chat with/).first();
  await toast.waitFor();
  await expect.poll(() => other.title()).toMatch(/^\(1\)/);
  await other
    .getByText(/handed the chat with Anonymous to Mate Horvat/)
    .first()
    .waitFor();
  await look(other, 'handed-1440-dark');
  await other.getByRole('button', { name: 'Open', exact: true }).click();
  await other
    .getByText(/handed this chat to Mate Horvat/)
    .first()
    .waitFor();
  await expect.poll(() => other.title()).not.toMatch(/^\(1\)/);
  await look(other, 'handed-thread-1440-dark');
  await expect.poll(() => header.textContent()).toBe('Talking with Mate Horvat');

  await give(null);
  await expect.poll(() => header.textContent()).not.toMatch(/Talking with/);
  await page.context().close();
  await other.context().close();
});

test('a chat started by an agent shows above the button, on a computer and on a phone, and takes no focus', async () => {
  const wide = await shopPage(DESKTOP);
  await widgetOf(wide).launcher.waitFor();
  await wide.evaluate(() => document.querySelector('main')?.append(document.createElement('input')));
  await wide.locator('main input').fill('lant');
  await reach('Can I help you?');
  const teaser = wide.locator('parley-widget .teaser');
  await expect.poll(() => teaser.locator('.lines').textContent()).toMatch(/Can I help you\?$/);
  await expect
    .poll(() => wide.locator('parley-widget [role=status].spoken').textContent())
    .toContain('Can I help you?');
  expect(await wide.evaluate(() => document.activeElement?.matches('main input'))).toBe(true);
  await look(wide, 'teaser-1440-light');

  // The next page and another tab show it, too, until it is closed in one of them.
  await wide.goto(`${host.origin}/about`);
  await teaser.waitFor();
  const tab = await wide.context().newPage();
  await tab.goto(host.url);
  await tab.locator('parley-widget .teaser').waitFor();
  await tab.locator('parley-widget').getByRole('button', { name: 'Not now' }).click();
  for (const page of [tab, wide]) await expect.poll(() => page.locator('parley-widget .teaser').count()).toBe(0);
  await wide.reload();
  await expect.poll(() => wide.locator('parley-widget .badge').textContent()).toBe('1');
  expect(await teaser.count()).toBe(0);
  await wide.context().close();

  const phone = await shopPage({ ...PHONE, colorScheme: 'dark' });
  const widget = widgetOf(phone);
  await phone.evaluate("Parley.setLanguage('fa')");
  await phone.locator('parley-widget section[lang=fa]').waitFor();
  await reach('Our lanterns are 20 % off today. Can I help you to find the right one for your garden?');
  const words = phone.locator('parley-widget .teaser .words');
  await expect.poll(() => words.textContent()).toContain('Our lanterns are 20 % off');
  const [text, shut] = [await words.boundingBox(), await phone.locator('parley-widget .teaser .shut').boundingBox()];
  expect(shut?.x).toBeLessThan(text?.x ?? 0);
  await look(phone, 'teaser-360-dark-rtl');
  await words.click();
  await phone.locator('parley-widget .bubble', { hasText: 'Our lanterns' }).waitFor();
  expect(await phone.locator('parley-widget .teaser').count()).toBe(0);
  await widget.launcher.waitFor({ state: 'hidden' });
  await phone.context().close();
});

test('a greeting that the owner writes shows on the pages it is for, and an answer begins the chat with it', async () => {
  const { token } = shop.owner;
  const id = shop.site._id;
  const settings = { visitorPages: false, launcher: { hideOn: ['/hidden'] } };
  await shop.api('PATCH /sites/:id', { token, params: { id }, body: { settings } });
  await desk.goto(`${shop.parley.origin}/dashboard/sites/${id}?tab=customization`);
  await desk.getByRole('button', { name: 'Add greeting' }).click();
  await desk.getByRole('textbox', { name: 'Text of the greeting' }).fill('Which lantern suits your garden?');
  await desk.getByRole('textbox', { name: 'Page address contains' }).fill('/Pricing');
  await desk.getByRole('spinbutton', { name: 'After (seconds on the page)' }).fill('0');
  const preview = desk.getByRole('region', { name: 'Preview of the greeting' }).frameLocator('iframe');
  await preview.locator('parley-widget .teaser', { hasText: 'Which lantern suits' }).waitFor();
  await look(desk, 'greetings-1440-light');
  expect(await axeProblems(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Save Changes' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();

  const page = await (await newContext(shop.browser, DESKTOP)).newPage();
  const connections: string[] = [];
  page.on('websocket', (socket) => connections.push(socket.url()));
  page.on('request', (request) => request.url().endsWith('/session') && connections.push(request.url()));
  await page.goto(`${host.origin}/about`);
  const widget = widgetOf(page);
  await widget.launcher.waitFor();
  const teaser = page.locator('parley-widget .teaser');
  await page.evaluate(() => history.pushState(null, '', '/pricing?plan=team'));
  await teaser.filter({ hasText: `${shop.site.name}Which lantern suits your garden?` }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await look(page, 'greeting-1440-light');
  await page.evaluate(() => history.pushState(null, '', '/about'));
  await teaser.waitFor({ state: 'detached' });
  // Where the launcher is hidden, so is what stands above it.
  await page.goto(`${host.origin}/hidden/pricing`);
  await teaser.waitFor({ state: 'attached' });
  expect(await teaser.isVisible()).toBe(false);
  await page.goto(host.url);
  await teaser.locator('.words').click();
  await expect.poll(widget.messages).toEqual(['Which lantern suits your garden?']);
  expect(connections).toEqual([]);

  await widget.send('A small one, please');
  await expect.poll(widget.messages).toEqual(['Which lantern suits your garden?', 'A small one, please']);
  await expect.poll(() => connections.length).toBeGreaterThan(0);
  await look(page, 'greeting-answered-1440-light');
  await desk.goto(`${shop.parley.origin}/dashboard/inbox`);
  const list = desk.getByRole('region', { name: 'Chat list' });
  await list.getByRole('link', { name: /A small one, please/ }).click();
  await desk.getByText('Greeting: Which lantern suits your garden?').waitFor();
  await look(desk, 'greeting-inbox-1440-light');
  const figures = async () => (await shop.api('GET /sites/:id/greetings', { token, params: { id } })).greetings;
  await expect.poll(figures).toMatchObject([{ shown: 1, answered: 1 }]);
  await page.context().close();
});

test('a snoozed chat leaves the list of waiting ones, and comes back unread when its visitor writes', async () => {
  const { token } = shop.owner;
  const { chatId, session } = await visit(shop, { name: 'Zora' }, 'Call me back tomorrow');
  const page = await signedIn(shop, shop.owner, `/dashboard/inbox?status=waiting&chat=${chatId}`);
  const list = page.getByRole('list', { name: 'Chats', exact: true });
  await list.getByText('Zora').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  await page.keyboard.press('z');
  await page
    .getByRole('dialog', { name: 'Snooze chat' })
    .getByRole('button', { name: /^Tomorrow/ })
    .press('Enter');
  await page.getByRole('button', { name: /^snoozed\s*1$/i }).click();
  await page.waitForURL('**/inbox?status=snoozed*');
  await list.getByText('Until', { exact: false }).waitFor();
  await page.getByRole('button', { name: /^waiting/i }).click();
  await expect.poll(() => list.getByText('Zora').isVisible()).toBe(false);
  await say(shop, session, 'I am back already');
  await list.getByText('Zora').waitFor();
  const { chat } = await shop.api('GET /chats/:id', { token, params: { id: chatId } });
  expect(chat.snoozedUntil).toBeUndefined();
  await page.context().close();
});
