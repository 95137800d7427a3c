import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import type { Host } from './harness/host-page.ts';
import { axeProblems } from './harness/screen-checks.ts';
import {
  type Account,
  addMember,
  hostPageOf,
  openSharedShop,
  ownerAt,
  type Shop,
  signedIn,
  visit,
} from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

type WithWidget = Window & { Parley: { open(): void } };

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** A window of 1440 × 900 at a zoom of 200 %. */
const ENLARGED: BrowserContextOptions = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
/** Too narrow for the details beside the chat. */
const LAPTOP: BrowserContextOptions = { viewport: { width: 1100, height: 700 } };
/** The most presses of Tab to reach a control. */
const STEPS_MAX = 80;

let shop: Shop;
let host: Host;
let ben: Account;
let chatId: string;
beforeAll(async () => {
  shop = await openSharedShop();
  ben = await addMember(shop, 'Ben Ito', 'agent');
  host = await hostPageOf(shop, { before: '<label>Street <input id="street" /></label>' });
  ({ chatId } = await visit(shop, { name: 'Mina Park' }, 'Is it in stock?'));
});
afterAll(async () => {
  await shop.stop();
  await host.stop();
});

/** The name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: node } = document;
    return node?.getAttribute('aria-label') ?? node?.textContent ?? '';
  });

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < STEPS_MAX && (await focused(page)) !== name; step++) await page.keyboard.press('Tab');
  expect(await focused(page)).toBe(name);
}

const setOffline = (offlineMode: boolean) =>
  shop.api('PATCH /sites/:id', {
    token: shop.owner.token,
    params: { id: shop.site._id },
    body: { settings: { offlineMode } },
  });

test.each([
  ['on a phone', PHONE],
  ['on a desktop', {}],
] as const)(
  'what a visitor writes %s stays in the composer below the form, and a lost connection is shown',
  async (_, options) => {
    const staff = await ownerAt(shop);
    const page = await (await newContext(shop.browser, options)).newPage();
    const problems = watch(page, shop.parley.origin, host.origin);
    await page.goto(host.url);
    const widget = widgetOf(page);
    const form = page.locator('parley-widget .form');
    const line = page.waitForEvent('websocket');
    await widget.open();
    // After its first answer, the page gets events.
    await (await line).waitForEvent('framereceived', ({ payload }) => `${payload}`.startsWith('43'));
    await widget.type('Do you');
    await setOffline(true);
    await form.waitFor();
    await page.keyboard.type(' sell lanterns');
    await setOffline(false);
    await form.waitFor({ state: 'detached' });
    expect(await widget.composer.inputValue()).toBe('Do you sell lanterns');
    await widget.composer.press('End');
    await page.keyboard.type('?');
    await widget.composer.press('Enter');
    await expect.poll(widget.state).toMatch(/Sent|Delivered/);
    expect(await widget.messages()).toEqual(['Do you sell lanterns?']);
    expect(problems).toEqual([]);

    await page.context().setOffline(true);
    await page.getByText('Reconnecting…').waitFor();
    await widget.send('Blue ones');
    await page.context().setOffline(false);
    await expect.poll(widget.state).toMatch(/Sent|Delivered/);
    await page.getByText('Reconnecting…').waitFor({ state: 'hidden' });
    expect(await widget.messages()).toEqual(['Do you sell lanterns?', 'Blue ones']);
    await Promise.all([page, staff].map((each) => each.context().close()));
  },
);

test('a page that opens the chat does not interrupt a visitor who is typing', async () => {
  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(host.url);
  await widgetOf(page).launcher.waitFor();
  await page.locator('#street').click();
  await page.keyboard.type('12 Harbour');
  await page.evaluate(() => (window as unknown as WithWidget).Parley.open());
  await page.locator('parley-widget .panel').waitFor();
  await page.keyboard.type(' Lane');
  expect(await page.locator('#street').inputValue()).toBe('12 Harbour Lane');
  await page.context().close();
});

/** The controls of a screen that cannot be scrolled fully into view, or are covered there. */
function outOfReach(): string[] {
  const controls = [...document.querySelectorAll('main :is(button, a, input, textarea, [role=switch])')];
  const isSeen = (control: Element) => control.checkVisibility() && control.getBoundingClientRect().width > 1;
  const isReachable = (control: Element) => {
    control.scrollIntoView({ block: 'center', inline: 'nearest' });
    const [box = new DOMRect()] = control.getClientRects();
    const met = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const isOnScreen = box.left >= 0 && box.right <= innerWidth + 1;
    return isOnScreen && (control.contains(met) || met?.contains(control));
  };
  return controls.filter((control) => isSeen(control) && !isReachable(control)).map(({ outerHTML }) => outerHTML);
}

test.each([
  ['a phone', PHONE],
  ['a desktop at 200 %', ENLARGED],
] as const)('on %s everything on the screens is reachable, and none scrolls sideways', async (_, options) => {
  const page = await signedIn(shop, shop.owner, '/dashboard', options);
  const found: string[] = [];
  for (const path of [
    '',
    '/inbox',
    `/inbox?chat=${chatId}`,
    '/sites',
    `/sites/${shop.site._id}`,
    '/history',
    '/team',
  ]) {
    await page.goto(`${shop.parley.origin}/dashboard${path}`);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
    const problems = await page.evaluate(outOfReach);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) problems.push(`scrolls sideways by ${overflow} px`);
    found.push(...problems.map((problem) => `${path}: ${problem}`));
  }
  expect(found).toEqual([]);
  await page.context().close();
});

test('details, dialogs and retries can be used with the keyboard alone', async () => {
  const { origin } = shop.parley;
  const page = await signedIn(shop, ben, '/docs', LAPTOP);
  await page.clock.install();
  await page.goto(`${origin}/dashboard/inbox?chat=${chatId}`);
  await page.getByRole('region', { name: /^Conversation with / }).waitFor();
  // The rest of the details comes later than the chat.
  await page.getByText('This is the first chat.').waitFor({ state: 'attached' });
  const before = await focused(page);
  await page.keyboard.press('d');
  const details = page.getByRole('complementary', { name: 'Visitor details' });
  await details.waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Hide details');
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'hidden' });
  expect(await focused(page)).toBe(before);

  await tabTo(page, 'More');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Hand to a teammate' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await axeProblems(page, 'dialog')).toEqual([]);
  await tabTo(page, 'Dismiss');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('More');

  await page.route('**/api/chats/*/claim', (route) => route.abort());
  await tabTo(page, 'Claim');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  // Longer than any other toast stays, with its animation.
  for (let i = 0; i < 2; i++) await page.clock.fastForward('01:00');
  await page.unroute('**/api/chats/*/claim');
  await tabTo(page, 'Try again');
  await page.keyboard.press('Enter');
  await expect
    .poll(
      async () => (await shop.api('GET /chats/:id', { token: ben.token, params: { id: chatId } })).chat.claimedBy?._id,
    )
    .toBe(ben.user._id);
  await page.context().close();
});
