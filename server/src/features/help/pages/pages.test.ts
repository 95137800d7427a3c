import http from 'node:http';
import { text } from 'node:stream/consumers';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { changeArticle, openHelpCenter, publish } from '#test/helpCenter';
import type { Site } from '../../../../contract.ts';
import { ArticleModel } from '../../articles/model.ts';
import type { HelpDoc } from '../../sites/helpModel.ts';
import { writeFigures } from '../readers/figures.ts';

let server: TestServer;
let owner: Account;
let site: Site;
let help: HelpDoc;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
afterAll(() => server.stop());
beforeEach(async () => {
  site = await createSite(server.api, owner.token, 'Corner & Shop');
  help = await openHelpCenter(site, { languages: ['de', 'ar'] }, [{ en: 'Orders', de: 'Bestellungen' }]);
});

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

/** Asks for a page as a browser does; redirects are not followed. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  const { port } = new URL(server.url);
  const asked = http.request({ host: '127.0.0.1', port, path, method, headers: { ...BROWSER, ...headers } });
  asked.end(body);
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve).on('error', reject);
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}
const at = (path: string, headers?: Record<string, string>) => ask(`/help/${help.handle}${path}`, headers);
const problemsOf = async (markup: string) =>
  (await validator.validateString(markup)).results.flatMap(({ messages }) =>
    messages.map(({ message, ruleId, line }) => `${line}: ${message} (${ruleId})`),
  );

const ORDER = { title: 'Where is my order?', text: 'Look into **your account**.\n\n## Late\n\nWrite to us.' };

test('the start page has the articles by category, in the language of its reader', async () => {
  await publish(
    site,
    { en: ORDER, de: { title: 'Wo ist meine Bestellung?', text: 'Im Konto.' } },
    help.categories[0]?.id,
  );
  await publish(site, { en: { title: 'Opening hours', text: 'From nine to five.' } });
  const first = await at('', { 'Accept-Language': 'de-AT,de;q=0.9' });
  expect([first.status, first.headers.location, first.headers.vary]).toEqual([
    302,
    `/help/${help.handle}/de`,
    expect.stringContaining('Accept-Language'),
  ]);
  const { status, body, headers } = await at('/de');
  expect(status).toBe(200);
  expect(body).toContain('<html lang="de" dir="ltr">');
  expect(body).toMatch(/Bestellungen<\/h2>.*Wo ist meine Bestellung\?.*Weitere Artikel<\/h2>.*Opening hours/s);
  expect(body).toContain('Corner &amp; Shop');
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(await problemsOf(body)).toEqual([]);
});

test('an article has its page, its data for search engines, and its Markdown', async () => {
  await publish(site, { en: ORDER }, help.categories[0]?.id);
  const { status, body } = await at('/en/where-is-my-order');
  expect(status).toBe(200);
  expect(body).toContain('<strong>your account</strong>');
  expect(body).toContain('<meta name="description" content="Look into your account.');
  expect(body).toContain(`<link rel="canonical" href="/help/${help.handle}/en/where-is-my-order">`);
  expect(body).toContain('"@type":"BreadcrumbList"');
  expect(body).toContain('datetime="2026-11-20"');
  expect(await problemsOf(body)).toEqual([]);
  const markdown = await at('/en/where-is-my-order.md');
  expect(markdown.headers['content-type']).toContain('text/markdown');
  expect(markdown.body).toBe(`# ${ORDER.title}\n\n${ORDER.text}\n`);
});

test('a page that is in memory is sent only once to a browser that has it, and HEAD gets no body', async () => {
  await publish(site, { en: ORDER });
  const { headers } = await at('/en/where-is-my-order');
  const again = await at('/en/where-is-my-order', { 'If-None-Match': String(headers.etag) });
  expect([again.status, again.body]).toEqual([304, '']);
  const head = await ask(`/help/${help.handle}/en/where-is-my-order`, {}, 'HEAD');
  expect([head.status, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
  const packed = await at('/en/where-is-my-order', { 'Accept-Encoding': 'br' });
  expect(packed.headers['content-encoding']).toBe('br');
});

describe('what was there before', () => {
  test('leads from former addresses to the present one, and is gone when withdrawn', async () => {
    const id = await publish(site, { en: ORDER });
    await changeArticle(
      site,
      id,
      { $set: { 'published.slug': 'track-order' }, $push: { formerSlugs: 'where-is-my-order' } },
      'en',
    );
    const moved = await at('/en/where-is-my-order');
    expect([moved.status, moved.headers.location]).toEqual([301, `/help/${help.handle}/en/track-order`]);
    expect((await at('/en/track-order')).status).toBe(200);
    await changeArticle(site, id, { $set: { status: 'archived' } });
    const gone = await at('/en/track-order');
    expect(gone.status).toBe(410);
    expect(gone.body).toContain('no longer available');
    expect((await at('/en/where-is-my-order')).status).toBe(410);
    expect(await problemsOf(gone.body)).toEqual([]);
    await changeArticle(site, id, { $set: { status: 'published' } });
    expect((await at('/en/track-order')).status).toBe(200);
  });

  test('what never was is missing, in the language of its reader', async () => {
    const { status, body } = await at('/ar/nothing');
    expect(status).toBe(404);
    expect(body).toContain('<html lang="ar" dir="rtl">');
    expect(body).toContain('name="robots" content="noindex"');
    expect(await problemsOf(body)).toEqual([]);
    for (const path of ['/xx', '/en/a/b/c', '/en/%ff', '/fr'])
      expect([path, (await at(path, { 'Accept-Language': 'de' })).status]).toEqual([path, 404]);
    expect((await at('/fr', { 'Accept-Language': 'de' })).body).toContain('<html lang="de"');
    expect((await ask('/help/nobody/en')).status).toBe(404);
    expect((await at('/en/')).headers.location).toBe(`/help/${help.handle}/en`);
  });
});

test('an article without a translation is shown in the main language, with a note, and is not doubled for search engines', async () => {
  await publish(site, { en: ORDER });
  await publish(site, {
    en: { title: 'Returns', text: 'In 14 days.' },
    de: { title: 'Rückgabe', text: 'In 14 Tagen.' },
  });
  const { status, body } = await at('/de/where-is-my-order');
  expect(status).toBe(200);
  expect(body).toContain('noch nicht in Ihre Sprache übersetzt');
  expect(body).toContain('<h1 lang="en" dir="ltr">');
  expect(body).toContain(`<link rel="canonical" href="/help/${help.handle}/en/where-is-my-order">`);
  expect(await problemsOf(body)).toEqual([]);
  expect((await at('/de/returns')).headers.location).toBe(`/help/${help.handle}/de/r%C3%BCckgabe`);
  const translated = await at('/de/r%C3%BCckgabe');
  expect(translated.body).toContain(`hreflang="en" href="/help/${help.handle}/en/returns"`);
  expect(translated.body).toContain(`hreflang="x-default" href="/help/${help.handle}/en/returns"`);
});

test('nothing that somebody wrote becomes markup', async () => {
  const title = `</title><script>alert(1)</script>"'<b>&amp;`;
  await openHelpCenter(site, { ...help, links: [{ label: '<i>Imprint</i>', url: 'https://example.com/?a=1&b="2"' }] });
  await publish(site, {
    en: { title, slug: 'x', description: '"><script>', text: `# <b>x</b>\n\n<script>alert(1)</script>` },
  });
  for (const path of ['/en', '/en/x', `/en/search?q=${encodeURIComponent(title)}`, '/en/nothing']) {
    const { body } = await at(path);
    expect(body.match(/<script(?! (?:src|type="application\/ld\+json"))/g)).toBeNull();
    expect(body).not.toContain('<b>');
    expect(body).not.toContain('<i>');
    expect(await problemsOf(body)).toEqual([]);
  }
});

test('a search finds passages, and its page is left out by search engines', async () => {
  await publish(site, { en: ORDER });
  const { body, status } = await at('/en/search?q=wheres+my+ordre+late');
  expect(status).toBe(200);
  expect(body).toContain('/en/where-is-my-order">Where is my order?</a>');
  expect(body).toContain('content="noindex"');
  expect(await problemsOf(body)).toEqual([]);
  expect(await problemsOf((await at('/en/search')).body)).toEqual([]);
  expect((await at('/ar/search?q=xyzzy')).body).toContain('xyzzy');
});

test('the site map pairs the languages, and robots finds it', async () => {
  await publish(site, { en: ORDER, ar: { title: 'أين طلبي؟', text: 'في حسابك.' } });
  const { body, headers } = await at('/sitemap.xml');
  expect(headers['content-type']).toContain('application/xml');
  const base = `http://127.0.0.1:${new URL(server.url).port}/help/${help.handle}`;
  const arabic = `${base}/ar/${encodeURIComponent('أين-طلبي')}`;
  expect(body).toContain(`<loc>${arabic}</loc><lastmod>2026-11-20T10:00:00.000Z</lastmod>`);
  const pair = `<xhtml:link rel="alternate" hreflang="en" href="${base}/en/where-is-my-order"/><xhtml:link rel="alternate" hreflang="ar" href="${arabic}"/>`;
  expect(body.split(pair)).toHaveLength(3);
  expect((await at('/robots.txt')).body).toContain('/sitemap.xml');
});

describe('“Did this help?”', () => {
  const send = (form: string, headers: Record<string, string> = {}) =>
    ask(
      `/help/${help.handle}/en/where-is-my-order/feedback`,
      { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(form.length), ...headers },
      'POST',
      form,
    );

  test('works without script, is counted, and asks what was missing', async () => {
    const id = await publish(site, { en: ORDER });
    const yes = await send('helped=yes', { Origin: server.url, Host: new URL(server.url).host });
    expect([yes.status, yes.headers.location]).toEqual([
      303,
      `/help/${help.handle}/en/where-is-my-order?helped=yes#feedback`,
    ]);
    const no = await send('helped=no');
    const thanks = await ask(String(no.headers.location).replace(/#.*/, ''));
    expect(thanks.body).toContain('What were you looking for?');
    expect(await problemsOf(thanks.body)).toEqual([]);
    await send('comment=How+do+I+change+the+delivery+address%3F');
    await at('/en/where-is-my-order');
    await at('/en/where-is-my-order', { 'User-Agent': 'Googlebot/2.1' });
    await writeFigures();
    expect((await ArticleModel.findById(id).lean())?.figures).toEqual({ helped: 1, notHelped: 1, read: 1 });
    const { body } = await server.api(`GET /sites/${site._id}/articles/questions`, { token: owner.token });
    expect(body.data.questions).toMatchObject([
      { question: 'How do I change the delivery address?', lang: 'en', count: 1 },
    ]);
  });

  test('is not taken from other pages', async () => {
    await publish(site, { en: ORDER });
    expect((await send('helped=yes', { Origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await send('helped=yes', { Origin: 'null' })).status).toBe(403);
    expect((await send('helped=yes', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await ask(`/help/${help.handle}/en`, {}, 'POST')).status).toBe(405);
  });
});

test('a host name of the site’s own shows its help centre and nothing of the dashboard; strange ones show nothing of it', async () => {
  const host = `help-${site._id}.example.com`;
  expect((await ask('/en', { Host: host })).body).not.toContain('Corner');
  help = await openHelpCenter(site, { ...help, host });
  await publish(site, { en: ORDER });
  const { status, body } = await ask('/en/where-is-my-order', { Host: `${host.toUpperCase()}:8443` });
  expect(status).toBe(200);
  expect(body).toContain(`<link rel="canonical" href="https://${host}/en/where-is-my-order">`);
  expect(body).toContain('href="/en"');
  expect((await ask('/', { Host: host })).headers.location).toBe('/en');
  expect((await ask('/dashboard', { Host: host })).status).toBe(404);
  expect((await ask('/robots.txt', { Host: host })).body).toContain(`Sitemap: https://${host}/sitemap.xml`);
  expect((await ask('/api/sites', { Host: host })).status).toBe(401);
  for (const strange of ['', '$ne', '127.0.0.1', 'x'.repeat(300), `evil.${host}`, '[::1]'])
    expect((await ask('/en/where-is-my-order', { Host: strange })).body).not.toContain('Where is my order');
  await openHelpCenter(site, { ...help, enabled: false });
  expect((await ask('/en/where-is-my-order', { Host: host })).body).not.toContain('Where is my order');
  expect((await at('/en')).status).toBe(404);
});

test('pages load the style sheet in the site’s colour, and the widget only where it is switched on', async () => {
  const { body } = await at('/en');
  const [, css = ''] = /href="(\/help-assets\/[^"]+\.css)"/.exec(body) ?? [];
  const sheet = await ask(css);
  expect(sheet.headers['cache-control']).toContain('immutable');
  expect(sheet.body).toContain('--fill:');
  const [, script = ''] = /src="(\/help-assets\/[^"]+\.js)"/.exec(body) ?? [];
  expect((await ask(script)).headers['content-type']).toContain('javascript');
  expect((await ask(css.replace(/assets\/.{10}/, 'assets/0123456789'))).headers['cache-control']).toBe('no-cache');
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { widgetEnabled: false } });
  expect((await at('/en')).body).not.toContain('<script');
});
