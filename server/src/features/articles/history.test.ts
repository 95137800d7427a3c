import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Article, ArticleVersion, Site } from '#contract';
import { type Account, createSite, join, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { uploadToArticle } from '#test/uploads';
import { FileModel } from '../../platform/files/model.ts';
import { sweepPictures } from './pictures.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let server: TestServer;
let owner: Account;
let colleague: Account;
let site: Site;
let article: Article;
beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api, 'Olga');
  colleague = await signUp(server.api, 'Bob');
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await join(site, colleague, 'admin');
  const body = { title: 'Returns', text: 'one' };
  article = (await server.api(`POST /sites/${site._id}/articles`, { token: owner.token, body })).body.data.article;
});
afterAll(() => server.stop());

const call = (what: string, body?: object, { token } = owner) => server.api(what, { token, body });
const current = async () => (await call(`GET /articles/${article._id}`)).body.data.article.texts[0];
async function write(text: string, by = owner) {
  const { rev } = await current();
  expect((await call(`PUT /articles/${article._id}/texts/en`, { text, rev }, by)).status).toBe(200);
}
const versions = async (): Promise<ArticleVersion[]> =>
  (await call(`GET /articles/${article._id}/versions?lang=en`)).body.data.versions;
const textOf = async (version: ArticleVersion | undefined) =>
  (await call(`GET /articles/${article._id}/versions/${version?._id}`)).body.data.version.text;

test('what one writes in a sitting is one version, and where another one continues a new one begins', async () => {
  await write('one, two');
  expect(await versions()).toEqual([]);
  await write('one, two, three', colleague);
  await write('one, two, three, four', colleague);
  expect((await versions()).map(({ by, added, removed }) => [by?.name, added, removed])).toEqual([['Olga', 8, 0]]);
  server.advance(11 * MINUTE_MS);
  await write('one, four', colleague);
  const [second, first] = await versions();
  expect([await textOf(first), await textOf(second)]).toEqual(['one, two', 'one, two, three, four']);
  expect(second).toMatchObject({ by: { name: 'Bob' }, added: 13, removed: 0, published: false });
});

test('what was published is a version, and can be restored without publishing it', async () => {
  await call(`POST /articles/${article._id}/publish`, {});
  await call(`POST /articles/${article._id}/publish`, {});
  await write('two');
  const [published] = await versions();
  expect(await versions()).toMatchObject([{ published: true, title: 'Returns', lang: 'en' }]);
  const restore = (rev: number) => call(`POST /articles/${article._id}/versions/${published?._id}/restore`, { rev });
  expect((await restore(1)).body.code).toBe('ARTICLE_CHANGED');
  expect((await restore(2)).body.data.article.texts).toMatchObject([{ text: 'one', rev: 3, published: true }]);
  expect(await Promise.all((await versions()).map(textOf))).toEqual(['two', 'one']);
  const foreign = (await call(`POST /sites/${site._id}/articles`, { title: 'Other' })).body.data.article;
  const asked = `POST /articles/${foreign._id}/versions/${published?._id}/restore`;
  expect((await call(asked, { rev: 1 })).body.code).toBe('VERSION_NOT_FOUND');
});

test('the newest fifty versions are kept', async () => {
  for (let count = 0; count < 55; count++) {
    await write(`state ${count}`);
    await call(`POST /articles/${article._id}/publish`, {});
  }
  const kept = await versions();
  expect(kept).toHaveLength(50);
  expect([await textOf(kept[0]), await textOf(kept[49])]).toEqual(['state 54', 'state 5']);
});

const png = async () => {
  const picture = sharp({ create: { width: 9, height: 7, channels: 3, background: 'red' } });
  return new Uint8Array(await picture.png().toBuffer());
};
const upload = (bytes: Uint8Array<ArrayBuffer> | string) =>
  uploadToArticle(server, owner.token, article._id, bytes, { name: 'p.png' });
const used = async () => (await call(`GET /sites/${site._id}/usage`)).body.data.usage;

test('a picture is kept as long as something written refers to it, and counts as storage', async () => {
  const [first, second] = [await upload(await png()), await upload(await png())].map(({ body }) => body.data.url);
  expect((await used()).files.bytes).toBeGreaterThan(0);
  await write(`![x](${first})`);
  const { html } = (await call(`POST /sites/${site._id}/articles/preview`, { text: `![x](${first})` })).body.data;
  expect(html).toContain(`src="${first}"`);
  const served = () => Promise.all([first, second].map(async (url) => (await fetch(server.url + url)).status));
  await sweepPictures(Date.now(), never);
  expect(await served()).toEqual([200, 200]);
  await sweepPictures(Date.now() + 2 * DAY_MS, never);
  expect(await served()).toEqual([200, 404]);
  await call(`POST /articles/${article._id}/publish`, {});
  await write('none');
  await sweepPictures(Date.now() + 2 * DAY_MS, never);
  expect(await served()).toEqual([200, 404]);
  await call(`PATCH /articles/${article._id}`, { status: 'archived' });
  expect((await call(`DELETE /articles/${article._id}`)).status).toBe(200);
  expect(await served()).toEqual([404, 404]);
  expect(await used()).toMatchObject({ text: { bytes: 0 }, files: { bytes: 0 } });
  expect(await FileModel.countDocuments({ site: site._id })).toBe(0);
});

test('only pictures are taken, and they are gone with their site', async () => {
  expect(await upload('not a picture')).toMatchObject({ status: 422 });
  expect(await upload(`<svg xmlns="http://www.w3.org/2000/svg"/>`)).toMatchObject({ status: 422 });
  const { url } = (await upload(await png())).body.data;
  expect((await call(`DELETE /sites/${site._id}`)).status).toBe(200);
  await expect.poll(async () => (await fetch(server.url + url)).status).toBe(404);
});
