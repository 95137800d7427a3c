import type { BrowserContextOptions, Page } from 'playwright-core';
import type { PreChatField, SiteBody } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/cluster/processes.js';
import { newContext } from './harness/browser.ts';
import { type Host, startHostPage } from './harness/host-page.ts';
import { type Mailbox, startMailbox } from './harness/mailbox.ts';
import { axeProblems } from './harness/screen-checks.ts';
import { openShop, ownerAt, type Shop } from './harness/shop.ts';

/** A window of 1280 × 1024 at a zoom of 400 %. */
const ENLARGED = { width: 320, height: 256 };
const WIDE = { width: 1440, height: 900 };
const FILE = { name: 'order.txt', mimeType: 'text/plain', buffer: Buffer.from('Two lanterns') };
const RIGHT_TO_LEFT = "<script>Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' });</script>";
/** The distance of the widget from the edge of the window. */
const EDGE_PX = 20;

let box: Mailbox;
/** One of each kind of field. */
const FIELDS: PreChatField[] = [
  { kind: 'name', label: '', required: true },
  { kind: 'phone', label: '', required: false },
  { kind: 'text', label: 'Order number', required: false },
  { kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns'] },
  { kind: 'checkbox', label: 'Newsletter', required: false },
];
let shop: Shop;
/** The shop's page; one without a doctype; one with a form before the chat; one of an offline team; and that from right to left. */
let hosts: Record<'open' | 'old' | 'asking' | 'away' | 'turned', Host>;

beforeAll(async () => {
  box = await startMailbox();
  const port = await freePort();
  // Without a mail server, the menu has no transcript.
  shop = await openShop({ port, env: { SMTP_URL: box.url, PUBLIC_URL: `http://localhost:${port}` } });
  await ownerAt(shop);
  const privacyUrl = 'https://shop.example.com/privacy';
  const consent = { text: 'My data may be stored to answer me.', url: privacyUrl };
  const asking = await siteWith({
    settings: {
      preChat: 'optional',
      privacyUrl,
      preChatFields: FIELDS,
      consent,
      launcher: { shape: 'round', icon: 'heart' },
    },
  });
  const away = await siteWith({ settings: { offlineMode: true, privacyUrl }, customization: { position: 'left' } });
  hosts = {
    open: await hostPageOf(shop.site.widgetCode),
    old: await hostPageOf(shop.site.widgetCode, { quirks: true }),
    asking: await hostPageOf(asking),
    away: await hostPageOf(away),
    turned: await hostPageOf(away, { before: RIGHT_TO_LEFT }),
  };
});
afterAll(async () => {
  await shop.stop();
  await box.stop();
  await Promise.all(Object.values(hosts).map((host) => host.stop()));
});

async function siteWith(more: Partial<SiteBody>): Promise<string> {
  const body = { name: 'Another shop', domain: 'another.example.com', ...more };
  return (await shop.api('POST /sites', { token: shop.owner.token, body })).site.widgetCode;
}

function hostPageOf(widgetCode: string, { before = '', quirks = false } = {}): Promise<Host> {
  const { origin } = shop.parley;
  const tag = `<script async src="${origin}/widget.js" data-site-id="${widgetCode}"></script>`;
  return startHostPage({ parleyOrigin: origin, embedCode: before + tag, quirks });
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  return (await newContext(shop.browser, options)).newPage();
}

async function answerNewest(): Promise<void> {
  const { token } = shop.owner;
  const [newest] = (await shop.api('GET /chats', { token })).chats;
  await shop.api('POST /chats/:id/messages', { token, params: { id: newest?._id ?? '' }, body: { content: 'We do.' } });
}

/** Checks every state of the widget. @param part the part that has opened, and may cover the rest */
async function throughStates(page: Page, checkScreens: (state: string, part?: string) => Promise<void>): Promise<void> {
  const of = (selector: string) => page.locator(`parley-widget ${selector}`);
  const menuItem = async (at: number) => {
    await of('header .tool').first().click();
    await of('.menu').waitFor();
    await of('[role=menuitem]').nth(at).click();
  };
  await page.goto(hosts.open.url);
  await of('.launcher').waitFor();
  await checkScreens('closed', '.launcher');
  await of('.launcher').click();
  await of('.composer textarea').waitFor();
  await checkScreens('empty');
  await of('.composer textarea').fill('Do you sell https://shop.example.com/lanterns?');
  await of('.composer textarea').press('Enter');
  await of('input[type=file]').setInputFiles(FILE);
  await of('.size').waitFor();
  await checkScreens('conversation');
  await of('.field .tool').first().click();
  await of('.emoji').waitFor();
  await checkScreens('emoji');
  await page.keyboard.press('Escape');
  await of('.mine').first().hover();
  await of('.mine .change').first().click();
  await of('.choices').waitFor();
  await checkScreens('own message', '.choices');
  await of('.choices button').first().click();
  await of('.editor').waitFor();
  await checkScreens('correcting', 'header, .editor');
  await page.keyboard.press('Escape');
  await of('.mine').first().hover();
  await of('.mine .change').first().click();
  await of('.choices .delete').click();
  await of('.choices[role=alertdialog]').waitFor();
  await checkScreens('deleting', '.choices');
  await page.keyboard.press('Escape');
  await answerNewest();
  await of('.bubble:not(.mine) .text').nth(1).waitFor();
  await of('header .tool').first().click();
  await of('.menu').waitFor();
  await checkScreens('menu', '.menu');
  await page.keyboard.press('Escape');
  await menuItem(1);
  await of('.card').waitFor();
  await checkScreens('transcript', 'header, .card, .composer');
  await of('.card .link').click();
  await menuItem(3);
  await of('[role=alertdialog]').waitFor();
  await checkScreens('erasing', 'header, .card, .composer');
  await of('[role=alertdialog] .link').click();
  await menuItem(2);
  await of('.star').nth(3).click();
  await page.getByText('Thank you for your rating.').waitFor();
  await checkScreens('rating', 'header, .card, .composer');
  for (const host of [hosts.asking, hosts.away]) {
    await page.goto(host.url);
    await of('.launcher').click();
    await of('.form').waitFor();
    await checkScreens(host === hosts.away ? 'away' : 'asking');
  }
  await of('.composer textarea').fill('Are you there?');
  await of('.composer textarea').press('Enter');
  await of('.form .fault').first().waitFor();
  await checkScreens('faults');
}

test('axe finds no problems in any state, in light and dark', async () => {
  const page = await newPage({ viewport: WIDE });
  const found: string[] = [];
  await throughStates(page, async (state) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await axeProblems(page)).map((problem) => `${state} (${colorScheme}): ${problem}`));
    }
  });
  expect(found).toEqual([]);
});

test('at 400 % zoom everything can be reached', async () => {
  const page = await newPage({ viewport: ENLARGED });
  const found: string[] = [];
  await throughStates(page, async (state, part = '.panel') => {
    const names = await page.evaluate(outOfReach, part);
    found.push(...names.map((name) => `${state}: ${name}`));
  });
  expect(found).toEqual([]);
});

/** The controls in a part of the widget that cannot be scrolled fully into view, or are covered there. */
function outOfReach(part: string): string[] {
  const root = document.querySelector('parley-widget')?.shadowRoot;
  const controls = [...(root?.querySelectorAll('button, a, input, textarea') ?? [])];
  const seen = controls.filter((control) => control.closest(part) && control.checkVisibility());
  const isReachable = (control: Element) => {
    control.scrollIntoView({ block: 'nearest' });
    // For a link over two lines, its first line.
    const [box = new DOMRect()] = control.getClientRects();
    const met = root?.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2) ?? null;
    const isOnScreen = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    return isOnScreen && control.contains(met);
  };
  return seen.length ? seen.filter((control) => !isReachable(control)).map(({ outerHTML }) => outerHTML) : [part];
}

test('the widget is on the configured side of a right-to-left page, open and closed', async () => {
  const page = await newPage({ viewport: WIDE });
  await page.goto(hosts.turned.url);
  const left = async (selector: string) => (await page.locator(`parley-widget ${selector}`).boundingBox())?.x;
  await page.locator('parley-widget .launcher').waitFor();
  expect(await left('.launcher')).toBe(EDGE_PX);
  await page.locator('parley-widget .launcher').click();
  await page.locator('parley-widget .form').waitFor();
  expect([await left('.launcher'), await left('.panel')]).toEqual([EDGE_PX, EDGE_PX]);
});

test('the panel fills its height on a page without a doctype', async () => {
  const page = await newPage({ viewport: WIDE });
  await page.goto(hosts.old.url);
  expect(await page.evaluate(() => document.compatMode)).toBe('BackCompat');
  await page.locator('parley-widget .launcher').click();
  const endOf = async (part: string) => {
    const box = await page.locator(`parley-widget ${part}`).boundingBox();
    return box && box.y + box.height;
  };
  await expect.poll(async () => (await endOf('.composer')) === (await endOf('.panel'))).toBe(true);
  await page.context().close();
});

// Last, because the team is offline afterwards.
test('when several forms could show at once, the one in use has room for its buttons', async () => {
  const { owner, site } = shop;
  const page = await newPage({ viewport: { width: 1280, height: 720 } });
  const of = (selector: string) => page.locator(`parley-widget ${selector}`);
  await page.goto(hosts.open.url);
  await of('.launcher').click();
  await of('.composer textarea').fill('Are you there?');
  await page.keyboard.press('Enter');
  await of('.mine .foot:is(.sent, .delivered)').waitFor();
  await of('header .tool').first().click();
  await of('.menu').waitFor();
  await page.getByRole('menuitem', { name: 'End chat' }).click();
  await of('.star').first().waitFor();
  const offline = { params: { id: site._id }, body: { settings: { offlineMode: true } } };
  await shop.api('PATCH /sites/:id', { token: owner.token, ...offline });
  await of('.form').waitFor();
  await of('.star').nth(3).click();
  await of('.form').waitFor({ state: 'hidden' });
  const stored = async () => (await shop.api('GET /chats', { token: owner.token })).chats[0]?.rating;
  await expect.poll(stored).toEqual({ score: 4, comment: null });
  const button = page.getByRole('button', { name: 'Send comment' });
  const isWhole = await button.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const root = node.getRootNode() as ShadowRoot;
    return [top + 2, bottom - 2].every((y) => root.elementFromPoint((left + right) / 2, y) === node);
  });
  expect(isWhole).toBe(true);
  await of('.star').nth(4).click();
  await of('.card textarea').fill('Quick');
  await button.click();
  await expect.poll(stored).toEqual({ score: 5, comment: 'Quick' });
  await of('.form').waitFor();
  await page.context().close();
});
