import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { DOC_ORIGIN, DOC_WIDGET_CODE, type DocCode, type DocJavaScript } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newContext, watch } from './harness/browser.ts';
import { bundleFor, FRAMEWORKS } from './harness/frameworks.ts';
import { type Host, startHostPage } from './harness/host-page.ts';
import { hostPageOf, openSharedShop, ownerAt, type Shop } from './harness/shop.ts';
import { type Widget, widgetOf } from './harness/widget.ts';

/** Whether the chat is open, and whether the launcher shows, after the example of each method. */
const AFTER: Partial<Record<string, [isOpen: boolean, isShown: boolean]>> = {
  open: [true, true],
  close: [false, true],
  toggle: [true, true],
  hide: [false, false],
  show: [false, true],
  isOpen: [false, true],
};
/** In the documented order, except that `hide` is before `show`. */
const ORDER = Object.keys(AFTER);

const TURBO = fileURLToPath(import.meta.resolve('@hotwired/turbo/dist/turbo.es2017-umd.js'));

let shop: Shop;
let docs: DocJavaScript;
const hosts: Host[] = [];
beforeAll(async () => {
  shop = await openSharedShop();
  docs = await shop.api('GET /docs/javascript-api');
  await ownerAt(shop);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});

test('the documented example of every event runs and logs it', async () => {
  const { page, widget, problems } = await onPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  for (const { example } of docs.events) await page.evaluate(codeOf(example));
  await expect.poll(() => said).toContain('ready');
  await widget.open();
  await widget.send('Is it blue?');
  await expect.poll(() => said).toEqual(['ready', 'open', expect.stringMatching(/^started /), 'Is it blue?']);
  await widget.launcher.click();
  await expect.poll(() => said.at(-1)).toBe('closed');

  const { token } = shop.owner;
  const { chats } = await shop.api('GET /chats', { token });
  const params = { id: chats[0]?._id ?? '' };
  await shop.api('POST /chats/:id/messages', { token, params, body: { content: 'It is.' } });
  await expect.poll(() => said.slice(5).sort()).toEqual(['1', 'Ana Oliveira It is.']);
  expect(problems).toEqual([]);
});

test('the documented example of every method does what it says', async () => {
  const { page, widget, problems } = await onPage();
  await widget.launcher.waitFor();
  const isOpen = () => page.evaluate(() => (window as unknown as { Parley: { isOpen(): boolean } }).Parley.isOpen());
  const turn = ({ id }: { id: string }) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
  const last = docs.methods.find(({ id }) => id === 'destroy');
  for (const method of docs.methods.filter((each) => each !== last).sort((a, b) => turn(a) - turn(b))) {
    await page.evaluate(codeOf(method.example));
    const after = AFTER[method.id];
    if (after) await expect.poll(async () => [await isOpen(), await widget.launcher.isVisible()]).toEqual(after);
  }
  await page.evaluate(codeOf(last?.example));
  await page.locator('parley-widget').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'Parley' in window)).toBe(false);
  expect(problems).toEqual([]);
});

test('the documented examples for whole pages work', async () => {
  const examples = docs.sections.flatMap(({ id, code = [] }) => code.map((example) => ({ id, example })));
  expect(examples.map(({ id }) => id)).toEqual(expect.arrayContaining(['before-it-has-loaded', 'own-button']));
  for (const { id, example } of examples) {
    const code = codeOf(example);
    const { page, widget, problems } = await onPage(example.language === 'js' ? `<script>${code}</script>` : code);
    await widget.launcher.waitFor({ state: id === 'own-button' ? 'hidden' : 'attached' });
    if (id === 'own-button') await page.getByRole('button', { name: 'Ask us' }).click();
    if (id === 'own-button' || id === 'before-it-has-loaded') await widget.composer.waitFor();
    expect(problems).toEqual([]);
  }
});

test('a page identifies its visitor and reports its address before the chat is opened', async () => {
  const { token } = shop.owner;
  const params = { id: shop.site._id };
  await shop.api('PATCH /sites/:id', { token, params, body: { settings: { visitorPages: true } } });
  const { secret } = await shop.api('GET /sites/:id/identity-secret', { token, params });
  const { tutorials } = await shop.api('GET /docs/examples');
  const { steps = [] } = tutorials.find(({ id }) => id === 'prove-who-visitors-are') ?? {};
  const step = (language: string) => codeOf(steps.find(({ code }) => code?.language === language)?.code);
  const onServer = `${step('js').replace('YOUR_IDENTITY_SECRET', secret)}\nexport { token };`;
  const proof = await import(`data:text/javascript,${encodeURIComponent(onServer)}`);
  const { page, problems } = await onPage(step('html').replace('SIGNED_TOKEN', proof.token));
  const seen = async () => (await shop.api('GET /sites/:id/visitors', { token, params, query: {} })).visitors;
  const pricing = { url: page.url(), title: 'Pricing - Example shop' };
  const mina = { name: 'Mina Park', userId: '42', verified: true };
  await expect.poll(seen).toContainEqual(expect.objectContaining({ ...mina, page: pricing }));
  await page.evaluate(() => {
    document.title = 'Baskets';
    history.pushState(null, '', '/baskets');
  });
  const baskets = { url: new URL('/baskets', page.url()).href, title: 'Baskets' };
  await expect.poll(seen).toContainEqual(expect.objectContaining({ ...mina, page: baskets }));
  expect(problems).toEqual([]);
});

/** A new visitor on a page with the widget. @param before HTML before the script tag */
async function onPage(before = ''): Promise<Visit> {
  return visit(await hostPageOf(shop, { before }));
}

/** A new visitor on a page with this HTML. */
async function onPageWith(embedCode: string): Promise<Visit> {
  return visit(await startHostPage({ parleyOrigin: shop.parley.origin, embedCode }));
}

interface Visit {
  page: Page;
  widget: Widget;
  problems: string[];
}

async function visit(host: Host): Promise<Visit> {
  hosts.push(host);
  const page = await (await newContext(shop.browser)).newPage();
  const problems = watch(page, shop.parley.origin, host.origin);
  await page.goto(host.url);
  return { page, widget: widgetOf(page), problems };
}

/** An example with the values that a reader has to replace. */
function codeOf(example: DocCode | undefined): string {
  if (!example) throw new Error('the documentation has lost an example');
  return example.code.replaceAll(DOC_ORIGIN, shop.parley.origin).replaceAll(DOC_WIDGET_CODE, shop.site.widgetCode);
}

/** What a page had for another chat, before the scripts have run, and how it went on later. */
const OTHER_CHATS: Record<string, { before: string; later: string }> = {
  tawk: {
    before: `Tawk_API.visitor = { name: 'Mina Park', email: 'mina@example.com' };
      Tawk_API.onLoad = () => { Tawk_API.setAttributes({ plan: 'team' }, () => Tawk_API.maximize()); };
      Tawk_API.onChatMaximized = () => console.log('opened', Tawk_API.isChatMaximized());
      Tawk_API.onChatMessageVisitor = (text) => console.log('said', text);`,
    later: `Tawk_API.addEvent('paid', { total: 12 }); Tawk_API.hideWidget(); Tawk_API.endChat(); Tawk_API.endChat();`,
  },
  crisp: {
    before: `$crisp.push(['set', 'user:email', ['mina@example.com']], ['set', 'user:nickname', 'Mina Park']);
      $crisp.push(['set', 'session:data', [[['plan', 'team'], ['cart', [1]]]]]);
      $crisp.push(['on', 'chat:opened', () => console.log('opened', $crisp.is('chat:opened'))]);
      $crisp.push(['on', 'message:sent', (message) => console.log('said', message.content)]);
      $crisp.push(['do', 'chat:open']);`,
    later: `$crisp.push(['set', 'session:event', [[['paid', { total: 12 }, 'blue']]]]);
      $crisp.push(['do', 'chat:hide'], ['do', 'helpdesk:search'], ['do', 'helpdesk:search']);`,
  },
  chatwoot: {
    before: `addEventListener('chatwoot:ready', () => {
        $chatwoot.setUser('', { name: 'Mina Park', email: 'mina@example.com' });
        $chatwoot.setCustomAttributes({ plan: 'team', cart: [1] });
        $chatwoot.toggle('open');
      });
      addEventListener('chatwoot:opened', () => console.log('opened', $chatwoot.isOpen));
      addEventListener('chatwoot:on-message', ({ detail }) => console.log('said', detail.content));`,
    later: `$chatwoot.setConversationCustomAttributes({ 'last event': 'paid' }); $chatwoot.toggleBubbleVisibility('hide');
      $chatwoot.setLabel('vip'); $chatwoot.setLabel('vip');`,
  },
  intercom: {
    before: `Intercom('boot', { app_id: 'abc', name: 'Mina Park', email: 'mina@example.com', plan: 'team', company: {} });
      Intercom('onShow', () => console.log('opened', Parley.isOpen()));
      Parley = window.Parley || []; Parley.push(['on', 'message:sent', ({ text }) => console.log('said', text)]);
      Intercom('show');`,
    later: `Intercom('trackEvent', 'paid', { total: 12 }); Intercom('update', { hide_default_launcher: true });
      Intercom('startTour', 1); Intercom('startTour', 2);`,
  },
};

test('a page with calls to the API of another chat keeps them', async () => {
  const { sections } = await shop.api('GET /docs/move-in');
  for (const [name, { before, later }] of Object.entries(OTHER_CHATS)) {
    const tags = codeOf(sections.find(({ id }) => id === name)?.code?.[0]);
    const host = await startHostPage({
      parleyOrigin: shop.parley.origin,
      embedCode: tags.replace('</script>', `${before}</script>`),
    });
    hosts.push(host);
    const page = await (await newContext(shop.browser)).newPage();
    const problems = watch(page, shop.parley.origin, host.origin);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(host.url);
    const widget = widgetOf(page);
    await widget.composer.waitFor();
    await widget.send('Is it blue?');
    await expect.poll(() => said).toEqual(['opened true', 'said Is it blue?']);
    await page.evaluate(later);
    await widget.launcher.waitFor({ state: 'hidden' });
    expect(said.slice(2)).toEqual([expect.stringMatching(/^Parley: .* does nothing here\.$/)]);

    const { token } = shop.owner;
    const { chats } = await shop.api('GET /chats', { token });
    const about = `${shop.parley.origin}/api/visitors/${chats[0]?.visitorId}/export`;
    const known = async () => (await fetch(about, { headers: { Authorization: `Bearer ${token}` } })).json();
    const attributes = expect.arrayContaining([
      expect.objectContaining({ name: 'plan', value: 'team' }),
      expect.objectContaining({ name: 'last event', value: 'paid' }),
    ]);
    await expect.poll(known).toMatchObject({ visitor: { name: 'Mina Park', email: 'mina@example.com', attributes } });
    expect(problems).toEqual([]);
  }
});

/** Adds HTML as Google Tag Manager does, which makes script tags anew without their data attributes. */
function addAsTagManager(html: string): void {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  for (const { text, src } of content.querySelectorAll('script')) {
    const tag = Object.assign(document.createElement('script'), { text });
    if (src) tag.src = src;
    document.body.append(tag);
  }
}

test('the HTML of every install guide puts the chat on a page, and so does that for Google Tag Manager', async () => {
  const { platforms, sections } = await shop.api('GET /docs/install');
  const steps = platforms.flatMap(({ id, steps }) => steps.map(({ code }) => ({ id, code })));
  const examples = [...steps, ...sections.flatMap(({ id, code = [] }) => code.map((each) => ({ id, code: each })))];
  const html = examples.filter(({ code }) => code?.language === 'html');
  expect(html.map(({ id }) => id)).toEqual(expect.arrayContaining(['html', 'google-tag-manager', 'settings']));
  // Most guides have the same tag.
  for (const code of new Set(html.map(({ code }) => codeOf(code)))) {
    const { widget, problems } = await onPageWith(code);
    await widget.launcher.waitFor();
    expect(problems).toEqual([]);
  }
  const { page, widget, problems } = await onPageWith('');
  await page.evaluate(addAsTagManager, codeOf(html.find(({ id }) => id === 'google-tag-manager')?.code));
  await widget.launcher.waitFor();
  expect(problems).toEqual([]);
});

test('the snippets of the install guides for frameworks put the chat on a page, and take it off again', async () => {
  const { platforms } = await shop.api('GET /docs/install');
  const { page, widget, problems } = await onPageWith('');
  page.on('console', (message) => message.text().startsWith('Parley') && problems.push(message.text()));
  const run = (script: string) => page.evaluate(script);
  for (const framework of FRAMEWORKS) {
    const code = platforms.find(({ id }) => id === framework)?.steps.find((step) => step.code)?.code;
    if (!code) throw new Error(`the guide for ${framework} has lost its snippet`);
    await run(await bundleFor(framework, { ...code, code: codeOf(code) }));
    for (const visit of framework === 'nextjs' ? ['only'] : ['first', 'second']) {
      await run('unmount = mounted.mount()');
      await widget.launcher.waitFor();
      expect(await page.locator('parley-widget').count()).toBe(1);
      if (visit === 'only') continue;
      await run('unmount()');
      await page.locator('parley-widget').waitFor({ state: 'detached' });
      expect(await run(`'Parley' in window || document.querySelector('script[src*="/widget.js"]')`)).toBeFalsy();
    }
  }
  expect(problems).toEqual([]);
});

test('the chat stays open while Turbo visits pages and restores them', async () => {
  const { page, widget, problems } = await onPage();
  await page.addScriptTag({ path: TURBO });
  await widget.open();
  await widget.send('Is it blue?');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.evaluate(() => Object.assign(document.body, { className: 'before' }));
  await page.evaluate(`Turbo.visit('/cart')`);
  await expect.poll(() => page.evaluate(() => location.pathname + document.body.className)).toBe('/cart');
  await widget.send('And that?');
  await expect.poll(widget.state).toMatch(/Sent|Delivered/);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => location.pathname + document.body.className)).toBe('/pricingbefore');
  expect(await widget.messages()).toEqual(['Is it blue?', 'And that?']);
  expect(await page.locator('parley-widget').count()).toBe(1);
  expect(problems).toEqual([]);
});
