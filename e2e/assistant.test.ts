import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelStandIn } from '../scripts/model/standIn.js';
import { newContext, watch } from './harness/browser.ts';
import { inboxOf } from './harness/dashboard.ts';
import type { Host } from './harness/host-page.ts';
import { axeProblems } from './harness/screen-checks.ts';
import { hostPageOf, openShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

const TITLE = 'How do I send a lantern back?';
const FIRST = 'You can send a lantern back within thirty days.';
const SECOND = 'We send you a label for it.';
const THIRD = 'It comes to you by post.';
const QUESTION = 'Can I send my lantern back within some days?';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let model: Awaited<ReturnType<typeof startModelStandIn>>;
let shop: Shop;
let host: Host;
let desk: Page;

beforeAll(async () => {
  model = await startModelStandIn();
  shop = await openShop({ env: { AI_URL: model.url, AI_MODEL: 'stand-in' } });
  await setUp(shop);
  host = await hostPageOf(shop, { strict: true });
  desk = await ownerAt(shop);
});
afterAll(async () => {
  await host.stop();
  await shop.stop();
  await model.stop();
});

/** What the site publishes, and an assistant that answers with it. */
async function setUp({ api, owner: { token }, site: { _id } }: Shop): Promise<void> {
  const params = { id: _id };
  const { rev } = (await api('GET /sites/:id/help-center', { token, params })).helpCenter;
  await api('PATCH /sites/:id/help-center', { token, params, body: { rev, enabled: true, widget: 'first' } });
  const body = { title: TITLE, text: `${FIRST} ${SECOND} ${THIRD}`, lang: 'en' } as const;
  const { article } = await api('POST /sites/:id/articles', { token, params, body });
  await api('POST /articles/:id/publish', { token, params: { id: article._id }, body: {} });
  await api('PATCH /sites/:id/assistant', { token, params, body: { rev: 0, step: 'answer', name: 'Nova' } });
}

/** On a phone, the open panel covers the page, and its heading is not there for anybody. */
async function problemsOf(page: Page): Promise<string[]> {
  return (await axeProblems(page)).filter((problem) => !problem.startsWith('page-has-heading-one'));
}

test.each([
  ['on a desktop, over a WebSocket', DESKTOP, true],
  ['on a phone, where no WebSocket works', PHONE, false],
])(
  '%s, a visitor reads an answer with its source, and gets a person in the middle of the next one',
  async (_, viewport, hasSockets) => {
    const page = await (await newContext(shop.browser, { viewport })).newPage();
    const problems = watch(page, shop.parley.origin, host.origin);
    if (!hasSockets) await page.addInitScript('WebSocket = class { constructor() { throw new Error("blocked"); } }');
    const visitor = widgetOf(page);
    const widget = page.locator('parley-widget');
    const coming = widget.locator('.bubble:has(.dots)');
    const ask = async () => {
      // An answer that was cut off still waits.
      model.release(1_000);
      model.use('quote', 'gated-passage');
      await visitor.send(QUESTION);
      await widget.locator('.dots').waitFor();
      // The line with the sources, and two sentences: only what follows shows that one has ended.
      model.release(3);
      // Between two polls, a sentence may get lost: then the whole answer follows.
      await (hasSockets ? coming.getByText(FIRST) : coming).waitFor();
    };

    const inbox = inboxOf(desk);
    const others = (await inbox.rows()).length;
    await page.goto(host.url);
    await visitor.launcher.click();
    await widget.getByText('I am an automatic assistant.').waitFor();
    await widget.getByRole('button', { name: 'Talk to a person' }).waitFor();
    problems.push(...(await problemsOf(page)));
    await widget.getByRole('button', { name: 'Write a message…' }).click();

    await ask();
    expect(await coming.textContent()).not.toContain(SECOND);
    problems.push(...(await problemsOf(page)));
    model.release(1);
    await widget.getByRole('list', { name: 'Sources' }).waitFor();
    await coming.waitFor({ state: 'hidden' });
    expect((await visitor.messages()).filter((text) => text.includes(THIRD))).toHaveLength(1);
    problems.push(...(await problemsOf(page)));

    await widget.getByRole('button', { name: TITLE }).click();
    await widget.getByRole('heading', { name: TITLE }).waitFor();
    await widget.getByRole('button', { name: 'Back to the conversation' }).click();
    await widget.locator('.judged').getByRole('button', { name: 'Yes' }).click();
    await widget.locator('.judged').getByText('Thank you.').waitFor();

    await ask();
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await coming.waitFor({ state: 'hidden' });
    await expect.poll(visitor.notes).toEqual(['A person will take over from here.']);
    expect(await widget.getByText('I am an automatic assistant.').isVisible()).toBe(false);

    await expect.poll(inbox.rows).toHaveLength(others + 1);
    await inbox.openChat(0);
    await inbox.claim();
    await inbox.send('Hello, I am Ana. May I help?');
    await expect.poll(visitor.messages).toContain('Hello, I am Ana. May I help?');
    problems.push(...(await problemsOf(page)));
    expect(problems).toEqual([]);
  },
);
