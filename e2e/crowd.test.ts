import type { Locator, Page } from 'playwright-core';
import { type Chat, PAGE_LIMIT_MAX } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCrowd } from './harness/crowd.ts';
import { openShop, type Shop, signedIn, visit } from './harness/shop.ts';

const CHATS = 10_000;
/** Far fewer rows than that are drawn at any moment. */
const DRAWN_MAX = 60;
const STEPS = 40;
const STEP_PX = 4_321;

let shop: Shop;
let page: Page;
let view: Locator;
beforeAll(async () => {
  shop = await openShop();
  await addCrowd(shop, CHATS);
  const chats = await allChats();
  page = await signedIn(shop, shop.owner, '/dashboard');
  // Two hundred pages, as who scrolls for long has loaded them, come as one.
  await page.route('**/api/chats?*', (route) =>
    route.fulfill({ json: { success: true, data: { chats, nextCursor: null } } }),
  );
  await page.goto(`${shop.parley.origin}/dashboard/inbox`);
  view = page.getByRole('list', { name: 'Chats', exact: true }).locator('..');
});
afterAll(() => shop.stop());

test('a list of ten thousand chats is drawn in part, and never shows a gap while it is scrolled', async () => {
  await page.getByText('Visitor 1', { exact: true }).waitFor();
  const seen = await view.evaluate(
    async (box, { steps, step }) => {
      const frame = () => new Promise(requestAnimationFrame);
      const { left, top, height } = box.getBoundingClientRect();
      const found: { at: number; drawn: number; shown: (string | null | undefined)[] }[] = [];
      for (const at of [...Array.from({ length: steps }, (_, i) => i * step), box.scrollHeight / 2, box.scrollHeight]) {
        box.scrollTo(0, at);
        await frame();
        await frame();
        const shown = [1, height / 2, height - 2].map(
          (y) =>
            document
              .elementFromPoint(left + 60, top + y)
              ?.closest('li')
              ?.querySelector('[dir=auto]')?.textContent,
        );
        found.push({ at: box.scrollTop, drawn: box.querySelectorAll('li').length, shown });
      }
      return found;
    },
    { steps: STEPS, step: STEP_PX },
  );
  const rowHeight = (await view.getByRole('listitem').last().boundingBox())?.height ?? 0;
  const { height = 0 } = (await view.boundingBox()) ?? {};
  for (const { at, drawn, shown } of seen) {
    expect(drawn).toBeLessThanOrEqual(DRAWN_MAX);
    for (const [i, y] of [1, height / 2, height - 2].entries()) {
      // How far the middle of the row that is shown there lies from there, in rows.
      const distance = Number(shown[i]?.replace('Visitor ', '')) - 0.5 - (at + y) / rowHeight;
      expect(Math.abs(distance)).toBeLessThan(0.55);
    }
  }
  expect(seen.at(-1)?.shown.at(-1)).toBe(`Visitor ${CHATS}`);
});

test('somebody who reads far below is not moved when a new chat comes', async () => {
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
