import type { Page } from 'playwright-core';
import { TOKEN_KEY } from 'server/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newContext } from './harness/browser.ts';
import { type Cluster, startCluster } from './harness/cluster.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { HOSTILE_PAGES } from './harness/hostile-pages.ts';
import { hostPageOf, ownerAt, type Shop, shopOn, untilOnline } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const RECOVERY = { timeout: 60_000 };
/** As browsers do where a proxy lets no WebSocket through. */
const FAILING_SOCKETS = `window.WebSocket = class {
  constructor() { setTimeout(() => { this.onerror(new Event('error')); this.onclose(new CloseEvent('close')); }); }
  close() {}
}`;

let cluster: Cluster;
let shop: Shop;
let host: Host;
/** What has been started, and is stopped in reverse order, also after a start that failed halfway. */
const started: { stop(): Promise<unknown> }[] = [];

/** A shop behind the proxy, whose page lets no WebSocket through. */
async function open(sticky: boolean): Promise<void> {
  cluster = await startCluster(2, { sticky });
  started.push(cluster);
  const [node] = cluster.nodes;
  if (!node) throw new Error('no node');
  shop = await shopOn({ ...node, origin: cluster.origin });
  started.push(shop);
  host = await hostPageOf(shop, { before: HOSTILE_PAGES['without WebSockets'] });
  started.push(host);
}

async function close(): Promise<void> {
  for (const one of started.splice(0).reverse()) await one.stop();
}

async function visitorAt(): Promise<Page> {
  const page = await (await newContext(shop.browser)).newPage();
  await page.goto(host.url);
  return page;
}

describe('behind a proxy without stickiness', () => {
  beforeAll(() => open(false));
  afterAll(close);

  test('a widget without WebSockets and a dashboard talk while nodes are killed', async () => {
    const desk = await ownerAt(shop);
    const widget = widgetOf(await visitorAt());
    await widget.open();
    await widget.send('Do you ship to Norway?');
    await expect.poll(widget.state).toMatch(/Sent|Delivered|Read/);
    const inbox = inboxOf(desk);
    await expect.poll(async () => (await inbox.rows()).length).toBe(1);
    await inbox.openChat(0);
    await inbox.claim();
    await inbox.send('Yes, every day');
    await expect.poll(widget.messages).toEqual(['Do you ship to Norway?', 'Yes, every day']);
    await expect.poll(inbox.state).toMatch(/Delivered|Read/);

    for (const [i, node] of cluster.nodes.entries()) {
      await node.kill9();
      await widget.send(`Question ${i}`);
      await expect.poll(async () => (await inbox.messages()).at(-1)).toBe(`Question ${i}`);
      await inbox.send(`Answer ${i}`);
      await expect.poll(async () => (await widget.messages()).at(-1)).toBe(`Answer ${i}`);
      await node.restart();
    }
    const said = ['Question 0', 'Answer 0', 'Question 1', 'Answer 1'];
    expect(await widget.messages()).toEqual(['Do you ship to Norway?', 'Yes, every day', ...said]);
  });

  test('a node without connection to the store is not ready until the connection is back', async () => {
    const [node] = cluster.nodes;
    const ready = async () => (await fetch(`${node?.origin}/readyz`)).status;
    node?.store.cut(true);
    await vi.waitFor(async () => expect(await ready()).toBe(503), RECOVERY);
    node?.store.cut(false);
    await vi.waitFor(async () => expect(await ready()).toBe(200), RECOVERY);
    const everyNode = () => Promise.all(cluster.nodes.map(({ origin }) => fetch(`${origin}/readyz`)));
    await cluster.store.restart('SIGKILL');
    await vi.waitFor(async () => expect((await everyNode()).every(({ ok }) => ok)).toBe(true), RECOVERY);
  });
});

describe('behind a proxy whose cookie keeps a browser on its node', () => {
  beforeAll(() => open(true));
  afterAll(close);

  test('a dashboard and a widget without WebSockets talk', async () => {
    const localStorage = [{ name: TOKEN_KEY, value: shop.owner.token }];
    const storageState = { cookies: [], origins: [{ origin: cluster.origin, localStorage }] };
    const context = await newContext(shop.browser, { storageState });
    await context.addInitScript(FAILING_SOCKETS);
    const desk = await context.newPage();
    await desk.goto(`${cluster.origin}/dashboard/inbox`);
    await untilOnline(shop);
    const widget = widgetOf(await visitorAt());
    await widget.open();
    await widget.send('Do you ship to Norway?');
    const inbox = inboxOf(desk);
    await expect.poll(async () => (await inbox.rows()).length).toBe(1);
    await inbox.openChat(0);
    await inbox.claim();
    await inbox.send('Yes, every day');
    await expect.poll(widget.messages).toEqual(['Do you ship to Norway?', 'Yes, every day']);
  });
});
