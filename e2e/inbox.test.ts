import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxOf } from './harness/dashboard.ts';
import { addMessages } from './harness/database.ts';
import { openSharedShop, type Shop, say, signedIn, visit } from './harness/shop.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let shop: Shop;
beforeAll(async () => {
  shop = await openSharedShop();
});
afterAll(() => shop.stop());

test('on a phone the inbox shows the list, then the chat, then the list again, within its width', async () => {
  await visit(
    shop,
    { name: 'Kofi' },
    'A long word: Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter',
  );
  const page = await signedIn(shop, shop.owner, '/dashboard', PHONE);
  const inbox = inboxOf(page);
  const list = page.getByRole('region', { name: 'Chat list' });
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Chat Inbox' }).tap();
  const row = list.getByRole('listitem').filter({ hasText: 'Kofi' });
  const claim = row.getByRole('button', { name: 'Claim' });
  expect(await isWithin(page, claim)).toBe(true);
  await claim.tap();
  await inbox.composer.waitFor();
  expect(await list.isVisible()).toBe(false);
  await inbox.type('We do.');
  const send = page.getByRole('button', { name: 'Send' });
  expect(await isWithin(page, send)).toBe(true);
  await send.tap();
  await expect.poll(async () => (await inbox.messages()).at(-1)).toBe('We do.');

  await page.getByRole('button', { name: 'Back to the list' }).tap();
  await list.waitFor();
  expect(await inbox.composer.isVisible()).toBe(false);
  await page.context().close();
});

test('without a network, drafts stay, sent messages wait, and each arrives once afterwards', async () => {
  const { session, chatId } = await visit(shop, { name: 'Lena' }, 'Hello?');
  // On `localhost`, engine.io ignores a lost network.
  const origin = shop.parley.origin.replace('localhost', '127.0.0.1');
  const path = `/dashboard/inbox?chat=${chatId}`;
  const page = await signedIn({ ...shop, parley: { ...shop.parley, origin } }, shop.owner, path);
  const context = page.context();
  const inbox = inboxOf(page);
  await expect.poll(inbox.messages).toEqual(['Hello?']);

  await context.setOffline(true);
  await inbox.send('From the train');
  await inbox.type('Half a thou');
  await page.getByText('Reconnecting…').waitFor();
  expect(await inbox.state()).toBe('Sending');
  await say(shop, session, 'Still there?');
  expect(await inbox.messages()).toEqual(['Hello?', 'From the train']);
  await context.setOffline(false);
  await expect.poll(inbox.messages).toEqual(['Hello?', 'Still there?', 'From the train']);
  await expect.poll(inbox.state).toBe('Sent');
  expect(await inbox.composer.inputValue()).toBe('Half a thou');

  // The second outage is so long that the page is closed.
  await context.setOffline(true);
  await inbox.send('From the tunnel');
  await inbox.type('Half a thought');
  await expect.poll(inbox.state).toBe('Sending');
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto(origin + path);
  const whole = ['Hello?', 'Still there?', 'From the train', 'From the tunnel'];
  await expect.poll(inboxOf(later).messages).toEqual(whole);
  await expect.poll(inboxOf(later).state).toBe('Sent');
  expect(await inboxOf(later).composer.inputValue()).toBe('Half a thought');
  const { messages } = await shop.api('GET /chats/:id/messages', {
    token: shop.owner.token,
    params: { id: chatId },
  });
  expect(messages.map(({ content }) => content)).toEqual(whole);
});

test('a search hit far up opens the chat there, pages both ways, survives a reload, and leads back to the newest', async () => {
  const { session, chatId } = await visit(shop, { name: 'Tove' }, 'Is the amber lamp still there?');
  await addMessages(shop, chatId, 299);
  await say(shop, session, 'And the amber chair?');
  const page = await signedIn(shop, shop.owner, '/dashboard');
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('lamp still');
  await page.getByRole('option').filter({ hasText: 'Is the amber lamp still there?' }).click();
  await page.waitForURL(`**/inbox?chat=${chatId}&at=1`);
  const thread = page.getByRole('region', { name: 'Conversation with Tove' });
  const marked = thread.locator('[data-seq][aria-current=true]');
  await expect.poll(() => marked.textContent()).toContain('lamp');
  await page.keyboard.press('s');
  await page.getByRole('searchbox', { name: 'Search in the chat' }).fill('amber');
  await page.getByText('1 of 2').waitFor();
  await expect.poll(() => marked.textContent()).toContain('chair');
  await page.keyboard.press('Enter');
  await page.getByText('2 of 2').waitFor();
  const isInView = async () => {
    const [of, inside] = [await marked.boundingBox(), await thread.boundingBox()];
    return of !== null && inside !== null && of.y >= inside.y && of.y + of.height <= inside.y + inside.height;
  };
  await expect.poll(() => marked.textContent()).toContain('lamp');
  await expect.poll(isInView).toBe(true);
  expect(new URL(page.url()).searchParams.get('at')).toBe('1');

  await page.reload();
  await expect.poll(() => marked.textContent()).toContain('lamp');
  await expect.poll(isInView).toBe(true);
  await expect.poll(() => thread.getByText('Filler 40', { exact: true }).count()).toBe(1);
  expect(await thread.getByText('Filler 299', { exact: true }).count()).toBe(0);
  // Down to the newest, page after page.
  await thread.hover();
  const scrollToLast = async () => {
    await page.mouse.wheel(0, 4_000);
    return thread.getByText('And the amber chair?').count();
  };
  await expect.poll(scrollToLast).toBe(1);
  expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(0);
  // The same hit again: the address stays as it is.
  await box.fill('lamp still');
  await page.getByRole('option').filter({ hasText: 'Is the amber lamp still there?' }).click();
  await expect.poll(() => marked.textContent()).toContain('lamp');
  await expect.poll(isInView).toBe(true);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => thread.getByText('And the amber chair?').isVisible()).toBe(true);
  expect(new URL(page.url()).searchParams.get('at')).toBeNull();
  await page.context().close();
});

test('filters are saved as a view that other tabs have at once, and the list follows them live', async () => {
  const { token } = shop.owner;
  const tag = (id: string, tags: string[]) =>
    shop.api('PUT /chats/:id/tags', { token, params: { id }, body: { tags } });
  const { chatId: first } = await visit(shop, { name: 'Rosa' }, 'I want my money back');
  await tag(first, ['refund']);
  const page = await signedIn(shop, shop.owner, '/dashboard/inbox?status=waiting');
  const other = await page.context().newPage();
  await other.goto(`${shop.parley.origin}/dashboard/inbox`);
  const list = page.getByRole('list', { name: 'Chats', exact: true });
  await list.getByText('Rosa').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'refund' }).click();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Refunds');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Refunds' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=waiting&tag=refund');
  await expect.poll(inboxOf(page).rows).toHaveLength(1);
  await page.getByRole('button', { name: /^waiting\s*1$/i }).waitFor();

  await other.getByRole('button', { name: 'View: Chat Inbox' }).click();
  await other.getByRole('menuitem', { name: 'Refunds' }).click();
  await other.waitForURL('**/inbox?status=waiting&tag=refund');
  await other.close();

  const { chatId: second } = await visit(shop, { name: 'Sami' }, 'Me too');
  await tag(second, ['refund', 'vip']);
  await list.getByText('Sami').waitFor();
  await page.getByRole('button', { name: /^waiting\s*2$/i }).waitFor();
  await tag(first, []);
  await expect.poll(inboxOf(page).rows).toHaveLength(1);
  await page.reload();
  await expect.poll(inboxOf(page).rows).toHaveLength(1);
  await page.getByRole('button', { name: 'Remove the filter #refund' }).click();
  await list.getByText('Rosa').waitFor();
  await page.context().close();
});

/** Whether the whole element is on the screen, and the page does not scroll sideways. */
async function isWithin(page: Page, part: Locator): Promise<boolean> {
  const { x = -1, y = -1, width = 0, height = 0 } = (await part.boundingBox()) ?? {};
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const { viewport } = PHONE;
  return overflow <= 0 && x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height;
}
