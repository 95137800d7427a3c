import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { ChatPage, Site } from '../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const edit = (body: object) => server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });

async function open(code: string, language = 'en', method = 'GET') {
  const answer = await fetch(`${server.url}/c/${code}`, { method, headers: { 'Accept-Language': language } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test("the page has the site's name and the widget in the whole window, and nobody indexes it", async () => {
  await edit({ name: '<Tea> & "Co"' });
  const { status, headers, text } = await open(site.widgetCode);
  expect(status).toBe(200);
  expect(text).toContain('<title>&lt;Tea&gt; &amp; &quot;Co&quot;</title>');
  expect(text).toContain(
    `<script src="/widget.js" data-site-id="${site.widgetCode}" data-inline="body" async></script>`,
  );
  expect(headers.get('x-robots-tag')).toBe('noindex');
  const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1] ?? 'none';
  expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect((await open(site.widgetCode, 'en', 'HEAD')).text).toBe('');
});

test("it is in the browser's language and its direction", async () => {
  expect((await open(site.widgetCode, 'ar-EG,en;q=0.5')).text).toContain('<html lang="ar" dir="rtl">');
  expect((await open(site.widgetCode, 'de')).text).toContain('<html lang="de" dir="ltr">');
  expect((await open(site.widgetCode, 'xx')).text).toContain('<html lang="en" dir="ltr">');
});

test('an unknown code and a widget that is off have a page that says so', async () => {
  const unknown = await open('no-such-code', 'de');
  expect(unknown.status).toBe(404);
  expect(unknown.text).toContain('Hier gibt es keinen Chat');
  expect(unknown.text).not.toContain('<script');
  expect(unknown.headers.get('x-robots-tag')).toBe('noindex');
  await edit({ widgetEnabled: false });
  expect((await open(site.widgetCode)).status).toBe(404);
  await edit({ widgetEnabled: true });
  expect((await open(site.widgetCode)).status).toBe(200);
});

test('its address comes with the QR code as two pictures', async () => {
  const { body } = await server.api(`GET /sites/${site._id}/chat-page`, { token: owner.token });
  const { url, svg, png }: ChatPage = body.data.chatPage;
  expect(url).toBe(`${server.url}/c/${site.widgetCode}`);
  expect((await fetch(url)).status).toBe(200);
  expect(await (await fetch(svg)).text()).toMatch(/^<svg /);
  expect([...new Uint8Array(await (await fetch(png)).arrayBuffer()).slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
});
