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
