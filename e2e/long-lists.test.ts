import type { Locator, Page } from 'playwright-core';
import {
  type AuditEntry,
  type Chat,
  type LiveVisitor,
  PAGE_LIMIT_MAX,
  type PlatformAccount,
  type StaffMessage,
} from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChats } from './harness/database.ts';
import { openShop, type Shop, signedIn, visit } from './harness/shop.ts';

const CHATS = 10_000;
/** At any time, fewer rows than this are rendered. */
const DRAWN_MAX = 60;
const STEPS = 40;
const STEP_PX = 4_321;
/** The rows of a page of the other lists, and the number of pages. */
const PAGE_ROWS = 100;
const PAGES = 3;
const ROWS = PAGES * PAGE_ROWS;
const HOUR_MS = 3_600_000;
const AT = '2026-01-05T09:00:00.000Z';

let shop: Shop;
let page: Page;
let view: Locator;
beforeAll(async () => {
  shop = await openShop();
  await addChats(shop, CHATS);
  const chats = await allChats();
  page = await signedIn(shop, shop.owner, '/dashboard');
  // One page with all chats, as after long scrolling.
  await page.route('**/api/chats?*', (route) =>
    route.fulfill({ json: { success: true, data: { chats, nextCursor: null } } }),
  );
  await page.goto(`${shop.parley.origin}/dashboard/inbox`);
  view = page.getByRole('list', { name: 'Chats', exact: true }).locator('..');
});
afterAll(() => shop.stop());

test('a list of ten thousand chats is rendered in part, without gaps while scrolling', async () => {
  await page.getByText('Visitor 1', { exact: true }).waitFor();
  const seen = await view.evaluate(
    async (box, { steps, step }) => {
      const frame = () => new Promise(requestAnimationFrame);
      const found: { at: number; height: number; drawn: number; shown: (string | null | undefined)[] }[] = [];
      for (const at of [...Array.from({ length: steps }, (_, i) => i * step), box.scrollHeight / 2, box.scrollHeight]) {
        box.scrollTo(0, at);
        await frame();
        await frame();
        // Measured each time: the line above the list comes a moment later.
        const { left, top, height } = box.getBoundingClientRect();
        const shown = [1, height / 2, height - 2].map(
          (y) =>
            document
              .elementFromPoint(left + 60, top + y)
              ?.closest('li')
              ?.querySelector('[dir=auto]')?.textContent,
        );
        found.push({ at: box.scrollTop, height, drawn: box.querySelectorAll('li').length, shown });
      }
      return found;
    },
    { steps: STEPS, step: STEP_PX },
  );
  const last = view.getByRole('listitem').last();
  const numbered = await last.evaluate((row) => [row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]);
  expect(numbered).toEqual([`${CHATS}`, `${CHATS}`]);
  const rowHeight = (await last.boundingBox())?.height ?? 0;
  for (const { at, height, drawn, shown } of seen) {
    expect(drawn).toBeLessThanOrEqual(DRAWN_MAX);
    for (const [i, y] of [1, height / 2, height - 2].entries()) {
      // The distance of the row at this position from its expected place, in rows.
      const distance = Number(shown[i]?.replace('Visitor ', '')) - 0.5 - (at + y) / rowHeight;
      expect(Math.abs(distance)).toBeLessThan(0.55);
    }
  }
  expect(seen.at(-1)?.shown.at(-1)).toBe(`Visitor ${CHATS}`);
});

test('a new chat does not move the list of somebody who has scrolled down', async () => {
  const row = page.getByText('Visitor 7777', { exact: true });
  await view.evaluate((box, share) => box.scrollTo(0, box.scrollHeight * share), 7_776 / CHATS);
  await row.waitFor();
  const before = await row.boundingBox();
  await visit(shop, { name: 'Mina' }, 'Am I seen among so many?');
  await page.getByRole('button', { name: /unread/i }).waitFor();
  await expect.poll(() => row.boundingBox()).toEqual(before);
  await view.evaluate((box) => box.scrollTo(0, 0));
  await page.getByRole('link', { name: /Mina/ }).waitFor();
});

test('a long list of visitors is rendered in part, and keeps its position when it grows', async () => {
  const { _id: id } = shop.site;
  await shop.api('PATCH /sites/:id', { ...shop.owner, params: { id }, body: { settings: { visitorPages: true } } });
  const visitors = Array.from({ length: ROWS }, (_, i) => visitorOf(i + 1));
  const screen = await signedIn(shop, shop.owner, '/dashboard');
  await answerPages(screen, '**/api/sites/*/visitors*', 'visitors', visitors);
  await screen.goto(`${shop.parley.origin}/dashboard/visitors`);
  const list = screen.getByRole('list', { name: 'Visitors', exact: true });
  const main = screen.getByRole('main');
  await list.getByText('Guest 100', { exact: true }).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(PAGE_ROWS);

  for (let loaded = PAGE_ROWS; loaded < ROWS; loaded += PAGE_ROWS) {
    await main.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const last = list.getByText(`Guest ${loaded}`, { exact: true });
    await expect.poll(() => last.isVisible()).toBe(true);
    const before = await last.boundingBox();
    await screen.getByRole('button', { name: 'Show more' }).click();
    await list.getByText(`Guest ${loaded + 1}`, { exact: true }).waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBeLessThanOrEqual(DRAWN_MAX);
    expect(await last.boundingBox()).toEqual(before);
  }
  await main.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await seen(list.getByText(`Guest ${ROWS}`, { exact: true }));
  expect(await list.getByRole('listitem').last().getAttribute('aria-posinset')).toBe(`${ROWS}`);

  await main.evaluate((box) => box.scrollTo(0, (box.scrollHeight - box.clientHeight) / 2));
  const row = list.getByText('Guest 150', { exact: true });
  await seen(row);
  const before = await row.boundingBox();
  visitors.unshift(visitorOf(0));
  await visit(shop, { name: 'Rosa' }, 'Who else is there?');
  await list.locator('[aria-posinset="151"]', { has: screen.getByText('Guest 150', { exact: true }) }).waitFor();
  await expect.poll(() => row.boundingBox()).toEqual(before);
});

test('accounts and the audit log on one page are rendered in part', async () => {
  const screen = await signedIn(shop, shop.owner, '/dashboard');
  const accounts = Array.from({ length: ROWS }, (_, i) => accountOf(i + 1));
  await answerPages(screen, '**/api/admin/users*', 'users', accounts);
  await answerPages(screen, '**/api/admin/audit*', 'entries', accounts.map(entryOf));
  await screen.goto(`${shop.parley.origin}/admin`);
  for (const name of ['Accounts', 'Audit trail']) {
    const list = screen.getByRole('list', { name, exact: true });
    const more = screen.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Show more' });
    // The first page, then each requested page.
    await list.getByText(new RegExp(`^Person ${PAGE_ROWS}\\b`)).waitFor();
    for (let loaded = PAGE_ROWS; loaded < ROWS; loaded += PAGE_ROWS) {
      await more.click();
      await list
        .locator(`[aria-setsize="${loaded + PAGE_ROWS}"]`)
        .first()
        .waitFor();
    }
    await more.waitFor({ state: 'detached' });
    const last = list.getByText(new RegExp(`^Person ${ROWS}\\b`));
    await list.evaluate((box) =>
      window.scrollBy(0, (box.nextElementSibling ?? box).getBoundingClientRect().bottom - 300),
    );
    await seen(last);
    expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(DRAWN_MAX);
  }
});

test('the other chats of a frequent visitor are rendered in part, and keep their position when more are shown', async () => {
  const screen = await signedIn(shop, shop.owner, '/dashboard');
  const { chatId } = await visit(shop, { name: 'Noa' }, 'Me again');
  const { chat } = await shop.api('GET /chats/:id', { token: shop.owner.token, params: { id: chatId } });
  const others = Array.from({ length: ROWS }, (_, i) => {
    return { ...chat, _id: `${i + 1}`.padStart(24, '0'), lastMessage: `Visit ${i + 1}` };
  });
  await answerPages(screen, '**/api/visitors/*/chats?*', 'chats', others);
  await screen.goto(`${shop.parley.origin}/dashboard/inbox?chat=${chatId}`);
  const pane = screen.getByRole('complementary', { name: 'Visitor details' });
  const list = pane.getByRole('region', { name: 'Other chats' }).getByRole('list');
  for (let loaded = PAGE_ROWS; loaded < ROWS; loaded += PAGE_ROWS) {
    const last = list.getByText(`Visit ${loaded}`, { exact: true });
    const more = pane.getByRole('button', { name: 'Show more' });
    await more.scrollIntoViewIfNeeded();
    await seen(last);
    const before = await last.boundingBox();
    await more.click();
    await list.getByText(`Visit ${loaded + 1}`, { exact: true }).waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBeLessThanOrEqual(DRAWN_MAX);
    expect(await last.boundingBox()).toEqual(before);
  }
  // With the keyboard, one can move on to rows that were not rendered.
  await list.getByRole('link', { name: `Visit ${PAGE_ROWS * 2} ` }).focus();
  for (let number = PAGE_ROWS * 2; number < PAGE_ROWS * 2 + DRAWN_MAX; number++) {
    // A busy machine renders the next rows later than a key comes.
    await list.getByText(`Visit ${number + 1}`, { exact: true }).waitFor({ state: 'attached' });
    await screen.keyboard.press('Tab');
  }
  await seen(list.getByText(`Visit ${PAGE_ROWS * 2 + DRAWN_MAX}`, { exact: true }));
  expect(await screen.evaluate(() => document.activeElement?.textContent)).toContain(
    `Visit ${PAGE_ROWS * 2 + DRAWN_MAX}`,
  );
});

test('a long transcript is rendered in part, from its beginning to its end and back', async () => {
  const screen = await signedIn(shop, shop.owner, '/dashboard');
  const { chatId } = await visit(shop, { name: 'Ida' }, 'This may take long');
  await screen.route('**/api/chats/*/messages?*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('after'));
    const messages = Array.from({ length: PAGE_ROWS }, (_, i) => messageOf(chatId, from + i + 1));
    return route.fulfill({ json: { success: true, data: { messages, more: from + PAGE_ROWS < ROWS } } });
  });
  await screen.goto(`${shop.parley.origin}/dashboard/history?chat=${chatId}`);
  const panel = screen.getByRole('dialog');
  const list = panel.getByRole('list', { name: 'Messages', exact: true });
  const box = panel.locator('[tabindex="0"]', { has: screen.getByRole('list', { name: 'Messages', exact: true }) });
  const line = (number: number) => list.getByText(new RegExp(`^Line ${number}\\b`));
  // The end moves while rows that are taller than estimated are rendered.
  const toEnd = (row: Locator) =>
    expect
      .poll(async () => {
        await screen.keyboard.press('End');
        return (await row.isVisible()) && isWithin(row);
      })
      .toBe(true);
  await line(1).waitFor();
  await box.focus();
  for (let loaded = PAGE_ROWS; loaded < ROWS; loaded += PAGE_ROWS) {
    await toEnd(line(loaded));
    const more = panel.getByRole('button', { name: 'Show more messages' });
    await more.scrollIntoViewIfNeeded();
    await seen(line(loaded));
    const before = await line(loaded).boundingBox();
    await more.click();
    await line(loaded + 1).waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBeLessThanOrEqual(DRAWN_MAX);
    expect(await line(loaded).boundingBox()).toEqual(before);
    await box.focus();
  }
  await toEnd(line(ROWS));
  const last = list.getByRole('listitem').last();
  expect(await last.getAttribute('aria-posinset')).toBe(await last.getAttribute('aria-setsize'));
  await screen.keyboard.press('Home');
  await seen(line(1));
  expect(await box.evaluate((each) => each.scrollTop)).toBe(0);
  expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(DRAWN_MAX);
});

/** Answers the calls of a list with pages of these rows. */
async function answerPages(screen: Page, path: string, name: string, rows: readonly object[]): Promise<void> {
  await screen.route(path, (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const end = from + PAGE_ROWS;
    const data = { [name]: rows.slice(from, end), nextCursor: end < rows.length ? `${end}` : null };
    return route.fulfill({ json: { success: true, data } });
  });
}

/** Waits until the element is rendered inside the window. */
const seen = (row: Locator) => expect.poll(() => isWithin(row)).toBe(true);

async function isWithin(row: Locator): Promise<boolean> {
  const { height = 0 } = row.page().viewportSize() ?? {};
  const { y = 0 } = (await row.boundingBox()) ?? {};
  return y > 0 && y < height;
}

function visitorOf(number: number): LiveVisitor {
  const known = { name: `Guest ${number}`, email: null, location: null, since: AT, userId: null, attributes: [] };
  return { _id: `visitor-${number}`, ...known, openChatId: null, blocked: false, page: null, verified: false };
}

function accountOf(number: number): PlatformAccount {
  const _id = `account-${number}`;
  const person = { _id, name: `Person ${number}`, email: `person-${number}@example.com`, role: 'user' as const };
  return { ...person, suspended: false, twoFactorEnabled: false, sites: 1, createdAt: AT, lastSeenAt: null };
}

function entryOf({ _id, name }: PlatformAccount): AuditEntry {
  return { _id, at: AT, action: 'signed_in', actor: { _id, name }, site: null, subject: null, detail: {} };
}

/** Messages of different lengths, over several days. */
function messageOf(chatId: string, seq: number): StaffMessage {
  const timestamp = new Date(Date.parse(AT) + seq * HOUR_MS).toISOString();
  const content = `Line ${seq}${' and so on'.repeat((seq % 7) * 9)}`;
  const sender = { sender: 'visitor' as const, senderName: null, senderAvatar: null, senderId: null };
  const text = { type: 'text' as const, content, text: content, file: null, event: null };
  return { _id: `message-${seq}`, chatId, seq, clientId: `${seq}`, ...sender, ...text, timestamp };
}

async function allChats(): Promise<Chat[]> {
  const chats: Chat[] = [];
  let next: string | null = null;
  do {
    const query: Record<string, string> = { limit: String(PAGE_LIMIT_MAX), ...(next !== null && { cursor: next }) };
    const page = await shop.api('GET /chats', { token: shop.owner.token, query });
    chats.push(...page.chats);
    next = page.nextCursor;
  } while (next !== null);
  return chats;
}
