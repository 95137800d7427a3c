import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext } from './harness/browser.ts';
import type { Host } from './harness/host-page.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { widgetOf } from './harness/widget.ts';

type WithWidget = Window & { Parley: { setLanguage(tag: string): void } };

/** Notes what the visitor types into the page. Only a listener of the window that is older than the chat can hear it. */
const NOTE_KEYS = `<script>
  window.heard = [];
  window.heardFirst = [];
  const note = (target, list) => {
    for (const type of ['keydown', 'keyup', 'keypress']) target.addEventListener(type, ({ key }) => list.push(key), true);
  };
  note(document, heard);
  note(window, heardFirst);
</script>`;

let shop: Shop;
let host: Host;
beforeAll(async () => {
  shop = await openSharedShop();
  await ownerAt(shop);
  host = await hostPageOf(shop, { before: NOTE_KEYS });
});
afterAll(async () => {
  await shop.stop();
  await host.stop();
});

test('nothing that happens while a visitor types takes the field, the caret or the words, and they are sent once', async () => {
  const { api, owner, site } = shop;
  const context = await newContext(shop.browser);
  const [page, other] = [await context.newPage(), await context.newPage()];
  const [widget, second] = [widgetOf(page), widgetOf(other)];
  const of = (selector: string) => page.locator(`parley-widget ${selector}`);
  const asOwner = { token: owner.token, params: { id: site._id } };
  const change = (body: object) => api('PATCH /sites/:id', { ...asOwner, body });
  const setOffline = (offlineMode: boolean) => change({ settings: { offlineMode } });

  await other.goto(host.url);
  await second.open();
  await page.goto(host.url);
  await page.bringToFront();
  await widget.open();
  await page.evaluate('note(window, heard)');
  const typed: string[] = [];
  /** Types on after an event, in the middle of a word if the caret is there. */
  async function typeOn(): Promise<void> {
    const word = randomUUID().slice(0, 4);
    await page.keyboard.type(word);
    typed.push(word);
    expect(await of('.composer textarea').inputValue()).toBe(`${typed.join('')}!`);
  }
  await page.keyboard.type('!');
  await page.keyboard.press('Home');
  await typeOn();

  await setOffline(true);
  await of('.form').waitFor();
  await typeOn();
  await setOffline(false);
  await of('.form').waitFor({ state: 'detached' });
  await typeOn();
  await change({ settings: { preChat: 'required' } });
  await of('.form').waitFor();
  await typeOn();
  await change({ settings: { preChat: 'off' }, customization: { ...site.customization, navbarTitle: 'Ask us' } });
  await page.getByText('Ask us').waitFor();
  await typeOn();
  await page.evaluate(() => (window as unknown as WithWidget).Parley.setLanguage('de'));
  await typeOn();
  expect(await page.evaluate('heard')).toEqual([]);
  expect(await page.evaluate('heardFirst')).toContain('!');

  const draft = await of('.composer textarea').inputValue();
  await expect.poll(() => second.composer.inputValue()).toBe(draft);
  await page.keyboard.press('Enter');
  await of('.mine .foot:is(.sent, .delivered)').waitFor();
  await expect.poll(() => second.composer.inputValue()).toBe('');
  await second.composer.press('Enter');

  const [chat] = (await api('GET /chats', { token: owner.token })).chats;
  const ofChat = { token: owner.token, params: { id: chat?._id ?? '' } };
  await page.keyboard.type('One more');
  await api('POST /chats/:id/claim', ofChat);
  await api('POST /chats/:id/close', ofChat);
  await of('.star').first().waitFor();
  await page.keyboard.type(' thing');
  expect(await of('.composer textarea').inputValue()).toBe('One more thing');
  expect(await page.evaluate('heard')).toEqual([]);
  // A click beside the field: the language follows.
  await page.locator('h1').click();
  await page.getByText('Wir sind online').waitFor();
  expect(await of('.composer textarea').inputValue()).toBe('One more thing');
  const { messages } = await api('GET /chats/:id/messages', ofChat);
  expect(messages.filter(({ sender }) => sender === 'visitor').map(({ content }) => content)).toEqual([draft]);
});
