import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { changeArticle, openHelpCenter, publish } from '#test/helpCenter';
import type { ArticleLink, Site } from '../../../../contract.ts';
import { ArticleModel } from '../../articles/model.ts';
import type { HelpDoc } from '../../sites/helpModel.ts';
import { writeFigures } from './figures.ts';

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
  site = await createSite(server.api, owner.token);
  help = await openHelpCenter(site, { languages: ['de'], widget: 'first' });
});

const get = (path: string) => server.api(`GET /widget/${site.widgetCode}${path}`, { headers: BROWSER });
const titles = async (path: string) => (await get(path)).body.data.articles.map(({ title }: ArticleLink) => title);
const questions = async () =>
  (await server.api(`GET /sites/${site._id}/articles/questions`, { token: owner.token })).body.data.questions;
const figures = async (id: string) => {
  await writeFigures();
  return (await ArticleModel.findById(id).lean())?.figures;
};

const RETURNS = {
  title: 'Sending something back',
  text: 'Put the **return label** on the parcel.\n\n## Refunds\n\nIn 14 days.',
};

test('the config says whether the widget has articles, and is as before where it has none', async () => {
  expect((await get('')).body.data.articles).toBe('first');
  await openHelpCenter(site, { ...help, widget: 'off' });
  expect((await get('')).body.data).not.toHaveProperty('articles');
  await openHelpCenter(site, { ...help, enabled: false });
  expect((await get('')).body.data).not.toHaveProperty('articles');
  expect((await get('/articles')).status).toBe(404);
});

test('a page gets the articles that its address is about first, then the others in their order', async () => {
  for (const title of ['Opening hours', 'Gift cards', 'Where is my order?'])
    await publish(site, { en: { title, text: 'Ask us.' } });
  await publish(site, { en: RETURNS, de: { title: 'Etwas zurückschicken', text: 'Mit dem Etikett.' } });
  const page = encodeURIComponent('https://shop.example.com/account/refunds?token=1');
  expect(await titles(`/articles?lang=de-AT&page=${page}`)).toEqual([
    'Etwas zurückschicken',
    'Opening hours',
    'Gift cards',
    'Where is my order?',
  ]);
  expect((await titles(`/articles?page=${page}`))[0]).toBe('Sending something back');
});

test('an article is nodes, at its present and former slugs and its id, and each reading counts', async () => {
  const id = await publish(site, { en: RETURNS });
  const { article } = (await get('/articles/sending-something-back?lang=fr')).body.data;
  expect(article).toMatchObject({ _id: id, lang: 'en', title: RETURNS.title });
  expect(JSON.stringify(article.nodes)).toContain('["strong",{},"return label"]');
  expect(article.url).toContain(`/help/${help.handle}/en/sending-something-back`);
  await changeArticle(
    site,
    id,
    { $set: { 'published.slug': 'returns' }, $push: { formerSlugs: 'sending-something-back' } },
    'en',
  );
  expect((await get('/articles/sending-something-back')).body.data.article.slug).toBe('returns');
  expect((await get(`/articles/${id}`)).body.data.article.slug).toBe('returns');
  await changeArticle(site, id, { $set: { status: 'archived' } });
  expect((await get('/articles/returns')).status).toBe(404);
  expect(await figures(id)).toEqual({ read: 3 });
});

test('whether it helped and the chats that began from it are counted; machines and strangers are not', async () => {
  const id = await publish(site, { en: RETURNS });
  const say = (helped: boolean, headers = BROWSER) =>
    server.api(`POST /widget/${site.widgetCode}/articles/sending-something-back/feedback`, {
      body: { lang: 'en', helped },
      headers,
    });
  expect((await say(true)).status).toBe(200);
  await say(false);
  await say(true, { 'User-Agent': 'Googlebot/2.1' });
  const { visitorToken: token } = await visit(server.api, site);
  for (const article of [id, id]) {
    const body = { clientId: randomUUID(), content: 'The label is missing', article };
    expect((await server.api(`POST /widget/${site.widgetCode}/messages`, { token, body })).status).toBe(201);
  }
  const other = { clientId: randomUUID(), content: 'Hello there', article: 'nothing' };
  await server.api(`POST /widget/${site.widgetCode}/messages`, {
    token: (await visit(server.api, site)).visitorToken,
    body: other,
  });
  await until(async () => (await figures(id))?.chats === 1);
  expect(await figures(id)).toEqual({ helped: 1, notHelped: 1, chats: 1 });
});

test('what a search or a chat finds nothing for is kept for the team without personal data, and dies with its visitor', async () => {
  await publish(site, { en: RETURNS });
  expect(await titles('/answers?q=return+label')).toEqual([RETURNS.title]);
  expect(await titles('/answers?q=winter+tyres')).toEqual([]);
  expect(await questions()).toEqual([]);
  await get('/answers?all=yes&q=do+you+sell+winter+tyres');
  await get('/answers?all=yes&q=Winter+tyres,+do+you+sell%3F');
  const session = await visit(server.api, site);
  await say(
    server.api,
    site,
    session,
    'My bicycle chain broke, call 0171 234 5678 or vera@example.com, card 4111 1111 1111 1111',
  );
  await say(server.api, site, await visit(server.api, site), 'Hello');
  const found = await until(async () => {
    const all = await questions();
    return all.length === 2 && all;
  });
  expect(found).toMatchObject([
    { question: 'do you sell winter tyres', count: 2, lang: 'en' },
    { question: 'My bicycle chain broke, call … or … card •••• •••• •••• …', count: 1 },
  ]);
  const first = `DELETE /sites/${site._id}/articles/questions/${found[0]._id}`;
  expect((await server.api(first, { token: owner.token })).status).toBe(200);
  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: session.visitorToken });
  await until(async () => (await questions()).length === 0);
});

test('the team searches in all that is published', async () => {
  await publish(site, { en: RETURNS });
  const search = async (q: string) =>
    (await server.api(`GET /sites/${site._id}/articles/search?q=${q}&lang=de`, { token: owner.token })).body.data
      .articles;
  expect(await search('refund')).toMatchObject([{ title: RETURNS.title }]);
  expect(await search('')).toEqual([]);
});
