import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop, signedIn, visit } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="red"/></svg>';

let shop: Shop;
beforeAll(async () => {
  shop = await openSharedShop();
});
afterAll(() => shop.stop());

test('the charts of the overview load no file after the figures', async () => {
  await visit(shop, { name: 'Mina' }, 'Can I pay by card?');
  const page = await signedIn(shop, shop.owner, '/dashboard');
  const chart = page.getByRole('slider', { name: 'Conversations per day' });
  await chart.waitFor();
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 1 conversation$/);
  // The day's bar is in the day's column, with the height that the grid shows.
  const bars = chart.locator('rect');
  expect(await bars.count()).toBe(1);
  const [bar, whole] = [await bars.boundingBox(), await chart.boundingBox()];
  expect((bar?.height ?? 0) / (whole?.height ?? 1)).toBeGreaterThan(0.9);
  await chart.hover({ position: { x: (whole?.width ?? 0) - 4, y: 20 } });
  expect(await chart.getByText('1 conversation').isVisible()).toBe(true);
  await page.context().close();
});

test('all links of the main page are reachable on a phone before any script runs', async () => {
  const page = await (await newContext(shop.browser, { ...PHONE, javaScriptEnabled: false })).newPage();
  await page.goto(shop.parley.origin);
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByText('Menu').tap();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  for (const place of ['Features', 'Docs', 'About', 'Login'])
    expect(await main.getByRole('link', { name: place }).locator('visible=true').count()).toBe(1);
  await main.getByRole('link', { name: 'Docs' }).locator('visible=true').tap();
  await page.waitForURL('**/docs');
  await page.context().close();
});

test('an SVG drawing can be uploaded as a profile picture', async () => {
  const page = await ownerAt(shop, '/dashboard/settings');
  const file = { name: 'me.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(DRAWING) };
  await page.getByLabel('Profile picture').setInputFiles(file);
  const picture = page.getByRole('tabpanel', { name: 'Account' }).locator('img');
  await expect.poll(() => picture.getAttribute('src')).toMatch(/^data:image\//);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Profile updated successfully').waitFor();
  await expect.poll(() => picture.getAttribute('src')).not.toMatch(/^data:/);
  await page.context().close();
});

test('a visitor takes one row on a tablet, with the button at its end', async () => {
  const { api, owner, site } = shop;
  const settings = { ...site.settings, visitorPages: true };
  await api('PUT /sites/:id', {
    token: owner.token,
    params: { id: site._id },
    body: { name: site.name, domain: site.domain, settings },
  });
  const page = await ownerAt(shop, `/dashboard/sites/${site._id}/visitors`, { viewport: { width: 768, height: 900 } });
  const host = await hostPageOf(shop);
  const visitor = await (await newContext(shop.browser)).newPage();
  await visitor.goto(host.url);
  await widgetOf(visitor).open();
  const row = page.getByRole('list', { name: 'Visitors' }).getByRole('listitem').first();
  const button = row.getByRole('button', { name: 'Start chat' });
  await button.waitFor();
  const [name, start] = [await row.getByText('Anonymous').boundingBox(), await button.boundingBox()];
  expect(start?.x).toBeGreaterThan(name?.x ?? 0);
  expect(start?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
  await host.stop();
});

/** The addresses, paths and code on a page that are not written from the left: shown `/https://shop.example`, say. */
function addressesFromTheRight(): string[] {
  const ADDRESS = /https?:\/\/[!-~]*|<script\b[ -~]+|(?<!\S)\/[a-z][!-~]*/g;
  /** Whether a character stands on the left of the one before it, in the same line. */
  const turnsBack = (text: Node, from: number, length: number) => {
    const boxes = Array.from({ length }, (_, at) => {
      const range = document.createRange();
      range.setStart(text, from + at);
      range.setEnd(text, from + at + 1);
      return range.getBoundingClientRect();
    });
    return boxes.some(({ left, top }, at) => {
      const before = boxes[at - 1];
      return before !== undefined && top === before.top && left < before.left;
    });
  };
  const wrong = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: found, index = 0 } of text.nodeValue?.matchAll(ADDRESS) ?? [])
      if (text.parentElement?.checkVisibility() && turnsBack(text, index, found.length)) wrong.push(found);
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
    for (const [found] of `${field.value} ${field.placeholder}`.matchAll(ADDRESS))
      if (getComputedStyle(field).direction === 'rtl') wrong.push(found);
  return wrong;
}

test('addresses, paths and code are written from the left on Arabic screens', async () => {
  const { api, owner, site } = shop;
  const { token } = owner;
  await api('PATCH /settings', { token, body: { section: 'language', data: { language: 'ar' } } });
  const visitor = { name: 'Omar', email: 'omar@example.net' };
  const { chatId } = await visit(shop, visitor, 'انظر https://shop.example/pay/ من فضلك');
  // The list shows the last message: plain text, whose order its writer has made.
  await api('POST /chats/:id/messages', { token, params: { id: chatId }, body: { content: 'شكرًا' } });
  await api('POST /canned-replies', { token, body: { siteId: site._id, shortcut: 'hours', content: 'Nine to five.' } });
  const ofSite = `/dashboard/sites/${site._id}`;
  const places = [
    ['/dashboard/sites/new', 'input[inputmode=url]'],
    [ofSite, 'textarea'],
    [`${ofSite}?tab=embed`, 'pre'],
    [`/dashboard/inbox?chat=${chatId}`, 'a[href^="https://shop"]'],
    ['/dashboard/settings?tab=security', 'main h2'],
  ] as const;
  const page = await ownerAt(shop, '/dashboard/sites');
  for (const [path, shows] of places) {
    await page.goto(shop.parley.origin + path);
    await page.locator(`html[dir=rtl] ${shows}`).first().waitFor({ state: 'attached' });
    expect(await page.evaluate(addressesFromTheRight), path).toEqual([]);
  }
  await api('PATCH /settings', { token, body: { section: 'language', data: { language: 'auto' } } });
  await page.context().close();
});
