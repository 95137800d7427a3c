import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import { type Host, startHostPage } from './harness/host-page.ts';
import { openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { type Exchange, type Meter, startMeter } from './harness/traffic-meter.ts';

/** What a page loads before anyone opens the chat: the script and the config, headers included. */
const LAUNCHER_MAX_BYTES = 4_000;
const LAUNCHER_REQUESTS = ['GET /widget.js', 'GET /api/widget/'];
/** From the click until the server has the first message, in both directions: requests, answers and the socket, headers included. */
const CHAT_MAX_BYTES = 20_000;
const REQUESTS_MAX = 7;

let shop: Shop;
let meter: Meter;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openSharedShop();
  meter = await startMeter(shop.parley.port);
  await ownerAt(shop);
});
afterAll(async () => {
  await shop.stop();
  await meter.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});

async function newPage(language: string): Promise<Page> {
  const tag = `<script async src="${meter.origin}/widget.js" data-site-id="${shop.site.widgetCode}" data-language="${language}"></script>`;
  const host = await startHostPage({ parleyOrigin: meter.origin, embedCode: tag });
  hosts.push(host);
  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(host.url);
  return page;
}

const received = (exchanges: Exchange[]) => exchanges.reduce((sum, exchange) => sum + exchange.received, 0);
const sent = (exchanges: Exchange[]) => exchanges.reduce((sum, exchange) => sum + exchange.sent, 0);

// English is in the chat itself; Persian is the largest of the others.
test.each(['en', 'fa'])('loading a chat stays within the byte budget on the wire, in language %s', async (language) => {
  meter.reset();
  const page = await newPage(language);
  await page.locator('parley-widget .launcher').waitFor();
  const launcher = meter.exchanges();
  const seen = JSON.stringify(launcher);
  expect(launcher.length, seen).toBe(LAUNCHER_REQUESTS.length);
  for (const [i, request] of LAUNCHER_REQUESTS.entries()) expect(launcher[i]?.request).toContain(request);
  expect(received(launcher), seen).toBeLessThanOrEqual(LAUNCHER_MAX_BYTES);

  await page.locator('parley-widget .launcher').click();
  await page.locator('parley-widget .composer textarea').fill('Do you ship to Porto?');
  await page.locator('parley-widget .composer textarea').press('Enter');
  await page.locator('parley-widget .mine .foot:is(.sent, .delivered)').waitFor();
  const all = meter.exchanges();
  const chat = all.slice(launcher.length);
  const what = JSON.stringify(chat);
  expect(received(chat) + sent(chat), what).toBeLessThanOrEqual(CHAT_MAX_BYTES);
  expect(all.length, what).toBeLessThanOrEqual(REQUESTS_MAX);
  // No request is made twice, and none needs a CORS preflight.
  expect(new Set(all.map(({ request }) => request.split('?')[0])).size).toBe(all.length);
  expect(all.filter(({ request }) => request.startsWith('OPTIONS'))).toEqual([]);
  await page.context().close();
});
