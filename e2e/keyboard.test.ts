import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import { openSharedShop, PASSWORD, type Shop, signedIn, visit } from './harness/shop.ts';

/** The most presses of Tab to reach a control. */
const TABS_MAX = 30;

let shop: Shop;
beforeAll(async () => {
  shop = await openSharedShop();
});
afterAll(() => shop.stop());

test('an agent signs in, answers and closes a chat with the keyboard alone', async () => {
  const { chatId } = await visit(shop, { name: 'Mina' }, 'Can I pay by card?');
  const page = await (await newContext(shop.browser)).newPage();
  const { keyboard } = page;
  const inbox = inboxOf(page);
  await page.goto(`${shop.parley.origin}/login`);
  await tabTo(page, 'Email');
  await keyboard.type(shop.owner.user.email);
  await tabTo(page, 'Password');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { name: 'Welcome back!' }).waitFor();
  await tabTo(page, 'Chat Inbox');
  await keyboard.press('Enter');
  await page.waitForURL('**/dashboard/inbox');
  await expect.poll(inbox.rows).toHaveLength(1);

  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect.poll(inbox.messages).toEqual(['Can I pay by card?']);
  await keyboard.press('c');
  await page.getByText('Claimed by you').first().waitFor();
  await keyboard.press('r');
  await keyboard.type('You can, with any of them.');
  await tabTo(page, 'Emoji');
  await keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Search emoji' }).waitFor();
  await keyboard.type('cake');
  await expect.poll(() => page.getByRole('gridcell').allTextContents()).toEqual(['🎂', '🍥', '🥮', '🍰']);
  await keyboard.press('Enter');
  await expect.poll(() => inbox.composer.inputValue()).toBe('You can, with any of them.🎂');
  await keyboard.press('Enter');
  await expect.poll(inbox.state).toBe('Sent');
  expect(await inbox.messages()).toEqual(['Can I pay by card?', 'You can, with any of them.🎂']);
  await keyboard.press('Escape');
  await keyboard.press('e');
  await expect.poll(async () => (await inbox.rows())[0]).toMatch(/closed/i);
  const stored = () => shop.api('GET /chats/:id', { token: shop.owner.token, params: { id: chatId } });
  await expect.poll(async () => (await stored()).chat.status).toBe('closed');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await keyboard.press('o');
  await expect.poll(async () => (await stored()).chat.status).toBe('active');
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  await keyboard.press('u');
  await expect.poll(() => page.title()).toMatch(/^\(1\)/);
  await expect.poll(async () => (await stored()).chat.unread).toBe(1);
  await page.getByRole('link', { name: /Mina/ }).click();
  await expect.poll(async () => (await stored()).chat.unread).toBe(0);
  await page.context().close();
});

test('with the keyboard, the list goes on at the next chat when the one before it has left', async () => {
  const { token } = shop.owner;
  for (const name of ['Kg', 'Kf', 'Ke', 'Kd', 'Kc', 'Kb', 'Ka']) {
    const { chatId } = await visit(shop, { name }, 'Are you there?');
    await shop.api('POST /chats/:id/claim', { token, params: { id: chatId } });
    await shop.api('PUT /chats/:id/tags', { token, params: { id: chatId }, body: { tags: ['keys'] } });
  }
  const page = await signedIn(shop, shop.owner, '/dashboard/inbox?status=active&tag=keys');
  const { keyboard } = page;
  const rows = () => page.locator('[data-row] a [dir=auto]').allTextContents();
  const names = async () => (await rows()).filter((text) => /^K.$/.test(text)).join(' ');
  await expect.poll(names).toBe('Ka Kb Kc Kd Ke Kf Kg');
  /** The visitor whose row has the focus, else the name of what has it. */
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      return at?.closest('[data-row]')?.querySelector('[dir=auto]')?.textContent ?? at?.getAttribute('aria-label');
    });
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const opens = (name: string) => page.getByRole('region', { name: `Conversation with ${name}` }).waitFor();
  const leaves: { how: string; after: string; by: () => Promise<unknown>; key: string; goesTo: string }[] = [
    { how: 'closed', after: 'Ka Kb Kd Ke Kf Kg', by: () => press('e'), key: 'j', goesTo: 'Kd' },
    {
      how: 'snoozed',
      after: 'Ka Kb Ke Kf Kg',
      by: async () => {
        await press('Enter');
        await opens('Kd');
        await press('z');
        await page.getByRole('dialog', { name: 'Snooze chat' }).waitFor();
        await press('Enter');
      },
      key: 'ArrowDown',
      goesTo: 'Ke',
    },
    {
      how: 'handed back',
      after: 'Ka Kb Kf Kg',
      by: async () => {
        await press('Enter');
        await opens('Ke');
        await press('t');
        await tabTo(page, 'Back to the queue');
        await press('Enter');
      },
      key: 'j',
      goesTo: 'Kf',
    },
    { how: 'selected and closed', after: 'Ka Kb Kg', by: () => press('x', 'e'), key: 'k', goesTo: 'Kb' },
    {
      how: 'closed by a colleague',
      after: 'Ka Kg',
      by: async () => {
        const { chats } = await shop.api('GET /chats', { token, query: { status: 'active', tag: 'keys' } });
        const id = chats.find(({ visitorInfo }) => visitorInfo.name === 'Kb')?._id ?? '';
        await shop.api('POST /chats/:id/close', { token, params: { id } });
      },
      key: 'j',
      goesTo: 'Kg',
    },
    {
      how: 'closed at the end of the list',
      after: 'Ka',
      by: async () => {
        await press('Enter');
        await opens('Kg');
        await press('e');
      },
      key: 'j',
      goesTo: 'Ka',
    },
  ];
  await press('j', 'j', 'j', 'Enter');
  await opens('Kc');
  for (const { how, after, by, key, goesTo } of leaves) {
    await by();
    await expect.poll(names, { message: how }).toBe(after);
    await expect.poll(focused, { message: how }).toBe('Chat list');
    await press(key);
    expect(await focused(), how).toBe(goesTo);
  }

  // Where closed chats stay in the list, they move to its end. The console leaves a chat with closing it.
  await page.goto(`${shop.parley.origin}/dashboard/sites/${shop.site._id}/chats?tag=keys`);
  await expect.poll(names).toMatch(/^K. K. /);
  const [first = '', second = ''] = (await names()).split(' ');
  await press('j', 'Enter');
  await opens(first);
  await press('e');
  await expect.poll(names).toMatch(new RegExp(`^${second} `));
  await press('j');
  expect(await focused()).toBe(second);
  await page.context().close();
});

test('several chats are selected with the keyboard, closed together, and opened again by one undo', async () => {
  const visitors = ['Amara', 'Bilal', 'Chiara'];
  const chatIds: string[] = [];
  for (const name of visitors) chatIds.push((await visit(shop, { name }, 'Are you there?')).chatId);
  const page = await signedIn(shop, shop.owner, '/dashboard/inbox?status=waiting');
  const stateOf = async (id: string) => {
    const { chat } = await shop.api('GET /chats/:id', { token: shop.owner.token, params: { id } });
    return `${chat.status} ${chat.tags}`;
  };
  const states = () => Promise.all(chatIds.map(stateOf));
  const selected = page.getByRole('region', { name: 'Selected chats' });
  await page.getByRole('link', { name: /Chiara/ }).waitFor();
  await page.getByRole('checkbox', { name: 'Select the chat of Chiara' }).waitFor({ state: 'attached' });

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await selected.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select the chat of Amara' }).click({ modifiers: ['Shift'] });
  await selected.getByText('3 selected').waitFor();
  await page.keyboard.press('l');
  await page.getByRole('textbox', { name: 'Add a tag' }).fill('Night shift');
  await page.keyboard.press('Enter');
  await page.getByText('3 chats tagged ‘night shift’').waitFor();
  await selected.waitFor({ state: 'hidden' });
  expect(await states()).toEqual(['waiting night shift', 'waiting night shift', 'waiting night shift']);

  await page.getByRole('checkbox', { name: 'Select the chat of Chiara' }).check();
  await page.getByRole('checkbox', { name: 'Select the chat of Bilal' }).check();
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Close 2 chats' }).click();
  const toast = page.getByRole('status').filter({ hasText: '2 chats closed' });
  await toast.waitFor();
  expect(await states()).toEqual(['waiting night shift', 'closed night shift', 'closed night shift']);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(states).toEqual(['waiting night shift', 'active night shift', 'active night shift']);
  await page.context().close();
});

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  // The unread count follows the name.
  const start = new RegExp(`^${name}`);
  const target = page
    .getByRole('textbox', { name: start })
    .or(page.getByRole('link', { name: start }))
    .or(page.getByRole('button', { name: start }));
  const isThere = () => target.evaluateAll((found) => found.some((element) => element === document.activeElement));
  await target.first().waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}`);
}
