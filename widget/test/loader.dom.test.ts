import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, visit } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  vi.useRealTimers();
  leave();
  vi.unstubAllGlobals();
  delete window.Parley;
  delete window.ParleySettings;
  warn.mockClear();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  await server.stop();
});

const hosts = () => document.querySelectorAll('parley-widget');
const drawn = () => waitFor(() => expect(hosts()).toHaveLength(1));

test("adds one element after the body, with the site's texts, colour and position", async () => {
  server.config.customization.position = 'left';
  visit(server);
  await drawn();
  expect(hosts()[0]?.parentElement).toBe(document.documentElement);
  expect(find('.launcher').textContent).toBe('Need help?');
  expect(find('.stage').className).toContain('left');
  expect(server.calls).toEqual(['GET ']);
});

test("the site's own launcher is a style sheet, and is not shown on some pages, in browsers without the Navigation API, too", async () => {
  server.config.launcher = { css: '.launcher{padding:0 14px}', hideOn: ['/checkout', '/legal'] };
  visit(server);
  await drawn();
  const styles = () => [...(hosts()[0]?.shadowRoot?.querySelectorAll('style') ?? [])].map((style) => style.textContent);
  expect(styles()[0]).toContain('.launcher{padding:0 14px}');
  for (const [path, away] of [
    ['/shop', false],
    ['/shop/checkout?step=2', true],
    ['/shop', false],
  ] as const) {
    history.pushState(null, '', path);
    await waitFor(() => expect(find('.stage').classList.contains('away-true')).toBe(away));
  }
  expect(find('.stage').classList.contains('online-true')).toBe(true);
});

test('waits for the load event of the page', async () => {
  const loading = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  visit(server);
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.calls).toEqual([]);
  dispatchEvent(new Event('load'));
  await drawn();
  loading.mockRestore();
});

test('does nothing and warns once for an unknown code or a disabled widget', async () => {
  server.status = 404;
  visit(server);
  await waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
  expect(hosts()).toHaveLength(0);
  expect(() => parley().open()).not.toThrow();
});

test('retries after an error status that is not from a Parley server', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => new Response('<h1>404</h1>', { status: 404 })),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  visit(server);
  vi.runOnlyPendingTimers();
  await waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
  vi.unstubAllGlobals();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await drawn();
});

test('retries when the server is down, with one warning', async () => {
  server.status = 503;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  visit(server);
  for (let calls = 1; calls <= 3; calls++) {
    vi.runOnlyPendingTimers();
    await waitFor(() => expect(server.calls).toHaveLength(calls));
    await waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  }
  expect(warn).toHaveBeenCalledTimes(1);
  server.status = 200;
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await drawn();
});

test('ignores further script tags of a page, with one warning', async () => {
  for (let tags = 1; tags <= 3; tags++) visit(server);
  await drawn();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(server.calls).toEqual(['GET ']);
});

test('comes back when the page replaces its body or removes the widget', async () => {
  visit(server);
  await drawn();
  document.body = document.createElement('body');
  expect(hosts()).toHaveLength(1);
  hosts()[0]?.remove();
  await drawn();
});

test('runs calls that the page queued before the script loaded', async () => {
  const ready = vi.fn();
  window.Parley = [['on', 'ready', ready], ['open']];
  visit(server);
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
  expect(ready).toHaveBeenCalledOnce();
  expect(parley().isOpen()).toBe(true);
});

test("opens, closes and hides on the page's calls, and sends events", async () => {
  visit(server);
  await drawn();
  const heard: string[] = [];
  const stop = parley().on('open', () => heard.push('open'));
  parley().once('close', () => heard.push('close'));
  parley().on('open', () => {
    throw new Error('a fault of the page');
  });
  const fault = vi.spyOn(console, 'error').mockImplementation(() => {});

  parley().open();
  await waitFor(() => expect(heard).toEqual(['open']));
  expect(fault).toHaveBeenCalledOnce();
  parley().toggle();
  await waitFor(() => expect(heard).toEqual(['open', 'close']));
  stop();
  parley().push(['open']);
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
  parley().hide();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  expect(find('.launcher').hidden).toBe(true);
  parley().show();
  expect(find('.launcher').hidden).toBe(false);
  expect(heard).toEqual(['open', 'close']);

  const late = vi.fn();
  parley().on('ready', late);
  await waitFor(() => expect(late).toHaveBeenCalledOnce());
});

test('requests only the config before the chat is opened, and no session on hover', async () => {
  visit(server);
  await drawn();
  find('.launcher').dispatchEvent(new Event('pointerenter'));
  await waitFor(() => find('.panel'));
  expect(server.calls).toEqual(['GET ']);
  find('.launcher').click();
  await waitFor(() => expect(server.calls.slice(0, 2)).toEqual(['GET ', 'POST /session']));
});

test('leaves nothing behind when the page destroys it', async () => {
  visit(server);
  await drawn();
  parley().destroy();
  expect(hosts()).toHaveLength(0);
  expect(window.Parley).toBeUndefined();
});

/** Runs the script on a page with this HTML. @returns the addresses that it asks */
async function runScript(html: string, current: HTMLScriptElement | null = null): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return Response.json({ success: true, data: server.config });
  });
  vi.stubGlobal('CHAT_FILE', 'chat.js');
  vi.stubGlobal('VERSION', '1');
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(current);
  document.body.innerHTML = html;
  vi.resetModules();
  await import('../src/loader.ts');
  return asked;
}

const tagOf = (origin: string, attributes = '') =>
  `<script type="text/plain" src="https://${origin}/widget.js" ${attributes}></script>`;

test('ignores a script tag of another vendor with the same attribute', async () => {
  const other = '<script type="text/plain" src="https://statistics.example/script.js" data-site-id="7"></script>';
  const asked = await runScript(other + tagOf('chat.example', 'data-site-id="corner-shop"'));
  await drawn();
  expect(asked).toEqual(['https://chat.example/api/widget/corner-shop?v=1&l=&c=']);
});

test('takes site and options from ParleySettings, and lets attributes of the tag override them', async () => {
  window.ParleySettings = { siteId: 'corner-shop', position: 'left', hidden: true, offset: 40, color: '#0b3d2e' };
  const asked = await runScript(tagOf('chat.example', 'data-color="#ffe94d"'));
  await drawn();
  expect(asked).toEqual(['https://chat.example/api/widget/corner-shop?v=1&l=&c=%23ffe94d']);
  expect(find('.stage').className).toContain('left');
  expect(find('.stage').style.padding).toBe('40px');
  expect(find('.launcher').hidden).toBe(true);
});

test('an option of ParleySettings that is false is off', async () => {
  window.ParleySettings = { siteId: 'corner-shop', hidden: false, open: false };
  await runScript(tagOf('chat.example'));
  await drawn();
  expect(find('.launcher').hidden).toBe(false);
  expect(parley().isOpen()).toBe(false);
});

test('does nothing for a tag that was removed before it ran', async () => {
  const removed = Object.assign(document.createElement('script'), { src: 'https://chat.example/widget.js' });
  removed.dataset.siteId = 'corner-shop';
  await runScript('', removed);
  expect(window.Parley).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();
});

test('warns where neither a tag nor the settings name a site', async () => {
  await runScript(tagOf('chat.example'));
  expect(window.Parley).toBeUndefined();
  expect(warn).toHaveBeenCalledOnce();
});
