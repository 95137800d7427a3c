import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import type { Host } from './harness/host-page.ts';
import { MODAL_LIBRARIES, type ModalLibrary, pageWithModal } from './harness/modal-pages.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

/** Notes each key that the page hears, in every way a page can listen. */
const NOTE_KEYS = `<script>
  window.heard = [];
  for (const type of ['keydown', 'keyup', 'keypress'])
    for (const capture of [true, false]) document.addEventListener(type, ({ key }) => heard.push(key), capture);
</script>`;

let shop: Shop;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openSharedShop();
  await ownerAt(shop);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});

async function onPageWithModal(library: ModalLibrary): Promise<{ page: Page; widget: Widget; problems: string[] }> {
  const host = await hostPageOf(shop, { before: NOTE_KEYS + (await pageWithModal(library)) });
  hosts.push(host);
  const page = await (await newContext(shop.browser)).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
  await page.goto(host.url);
  return { page, widget: widgetOf(page), problems };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.localName);

test.each(MODAL_LIBRARIES)(
  'a modal of %s takes no key and no focus from the widget, and stays open',
  async (library) => {
    const { page, widget, problems } = await onPageWithModal(library);
    const newsletter = page.getByRole('textbox', { name: 'Newsletter', includeHidden: true });
    await newsletter.waitFor();
    await newsletter.focus();
    await widget.open();
    await widget.composer.click();
    await page.keyboard.type('hello support');
    expect(await focused(page)).toBe('parley-widget');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await expect.poll(widget.state).toMatch(/Sent|Delivered/);
    expect(await widget.messages()).toEqual(['hello support!']);
    expect(await page.evaluate('heard')).toEqual([]);
    await page.keyboard.press('Escape');
    await widget.composer.waitFor({ state: 'hidden' });
    expect(await newsletter.inputValue()).toBe('');
    // The launcher may have the focus now; the page gets it back as soon as it is wanted there.
    await newsletter.click();
    await page.keyboard.type('me');
    expect(await newsletter.inputValue()).toBe('me');
    const { chats } = await shop.api('GET /chats', { token: shop.owner.token });
    expect(chats[0]?.lastMessage).toBe('hello support!');
    expect(problems).toEqual([]);
    await page.context().close();
  },
);
