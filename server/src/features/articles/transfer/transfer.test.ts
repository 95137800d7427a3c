import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Article, ArticleEntry, ArticleImport, Site } from '#contract';
import { type Account, createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { uploadToArticle } from '#test/uploads';

let server: TestServer;
let owner: Account;
let site: Site;
let png: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  png = new Uint8Array(
    await sharp({ create: { width: 9, height: 7, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const call = (what: string, body?: object) => server.api(what, { token: owner.token, body });
async function send(bytes: Uint8Array<ArrayBuffer> | string, query = '', to = site) {
  const answer = await fetch(`${server.url}/api/sites/${to._id}/articles/import${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.token}` },
    body: bytes,
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into field by field
  return { status: answer.status, body: (await answer.json()) as any };
}
const zip = (files: Zippable) => new Uint8Array(zipSync(files));
async function take(files: Zippable, query = '', to = site): Promise<ArticleImport> {
  const { status, body } = await send(zip(files), query, to);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.data;
}
const counts = ({ added, changed, unchanged, leftOut }: ArticleImport) => [added, changed, unchanged, leftOut.length];
const list = async (of = site): Promise<ArticleEntry[]> =>
  (await call(`GET /sites/${of._id}/articles`)).body.data.articles;
const read = async (_id: string): Promise<Article> => (await call(`GET /articles/${_id}`)).body.data.article;
async function exported(of = site): Promise<Record<string, Uint8Array>> {
  const headers = { Authorization: `Bearer ${owner.token}` };
  const answer = await fetch(`${server.url}/api/sites/${of._id}/articles/export`, { headers });
  expect(answer.headers.get('content-type')).toBe('application/zip');
  return unzipSync(new Uint8Array(await answer.arrayBuffer()));
}

const RETURNS = [
  '---',
  'title: "Returns: how"',
  'category: Orders',
  "description: 'It''s easy'",
  'alsoAsked:',
  '  - send back',
  '  - "refund?"',
  'status: published',
  'order: 2',
  'unknown: [1, 2]',
  '---',
  '',
  'See ![a parcel](../pictures/parcel.png) and ![gone](pictures/gone.png).',
].join('\n');
const files = (): Zippable => ({
  'help/en/returns.md': strToU8(RETURNS),
  'help/de/returns.md': strToU8('# Rückgabe\n\nBinnen 14 Tagen.'),
  'help/en/first.md': strToU8('---\norder: 1\n---\n# First\n'),
  'help/pictures/parcel.png': png,
  'help/xx/other.md': strToU8('# Other'),
  'help/en/long.md': strToU8(`# Long\n${'x'.repeat(40_001)}`),
  'help/en/note.txt': strToU8('ignored'),
});

test('Markdown with front matter and pictures is imported as drafts, and a second time changes nothing', async () => {
  expect(counts(await take(files(), '?dryRun=yes'))).toEqual([3, 0, 0, 3]);
  expect(await list()).toEqual([]);
  const first = await take(files());
  expect(counts(first)).toEqual([3, 0, 0, 3]);
  expect(first.leftOut.map(({ source }) => source).sort()).toEqual([
    'help/en/long.md',
    'help/xx/other.md',
    'pictures/gone.png',
  ]);
  const articles = await list();
  expect(articles.map(({ status, texts }) => [status, texts.en?.title, texts.de?.title])).toEqual([
    ['draft', 'Returns: how', 'Rückgabe'],
    ['draft', 'First', undefined],
  ]);
  const { texts } = await read(articles[0]?._id ?? '');
  expect(texts[0]).toMatchObject({ description: "It's easy", alsoAsked: ['send back', 'refund?'], slug: 'returns' });
  const [, url] = /!\[a parcel\]\((\/api\/files\/[\w-]{43})\)/.exec(texts[0]?.text ?? '') ?? [];
  expect((await fetch(server.url + url)).headers.get('content-type')).toMatch(/^image\//);
  const { helpCenter } = (await call(`GET /sites/${site._id}/help-center`)).body.data;
  expect(helpCenter.categories).toMatchObject([{ name: { en: 'Orders' } }]);
  expect(counts(await take(files()))).toEqual([0, 0, 3, 3]);
});

test('what is imported again with changes is an unpublished change', async () => {
  await take({ 'en/a.md': strToU8('# A\n\none') });
  const [entry] = await list();
  const id = entry?._id ?? '';
  await call(`POST /articles/${id}/publish`, {});
  expect(counts(await take({ 'en/a.md': strToU8('# A\n\ntwo') }))).toEqual([0, 1, 0, 0]);
  expect((await read(id)).texts).toMatchObject([{ published: true, changed: true, text: '# A\n\ntwo' }]);
});

test('an import that was interrupted goes on where it stopped', async () => {
  await take({ 'en/a.md': strToU8('# A'), 'de/a.md': strToU8('# A, deutsch') });
  const { ArticleTextModel } = await import('../model.ts');
  // As if the process had died before it wrote the texts.
  await ArticleTextModel.deleteMany({ site: site._id });
  expect(counts(await take({ 'en/a.md': strToU8('# A'), 'de/a.md': strToU8('# A, deutsch') }))).toEqual([2, 0, 0, 0]);
  expect(await list()).toHaveLength(1);
});

test('an export is imported unchanged on its site, and makes the same articles on another one', async () => {
  const made = (await call(`POST /sites/${site._id}/articles`, { title: 'Returns' })).body.data.article;
  const { url } = (await uploadToArticle(server, owner.token, made._id, png)).body.data;
  const written = { text: `![p](${url})\n\n---\ntext`, description: 'd: "x"', alsoAsked: ['a', 'b: c'], rev: 1 };
  await call(`PUT /articles/${made._id}/texts/en`, written);
  await call(`PUT /articles/${made._id}/texts/ar`, { title: 'الإرجاع', rev: 0 });
  await call(`POST /articles/${made._id}/publish`, {});
  const out = await exported();
  expect(
    Object.keys(out)
      .map((name) => name.split('/')[0])
      .sort(),
  ).toEqual(['ar', 'en', 'pictures']);
  expect(strFromU8(out['en/returns.md'] ?? new Uint8Array())).toContain('](../pictures/');
  expect(counts(await take(out))).toEqual([0, 0, 2, 0]);
  const other = await createSite(server.api, owner.token);
  expect(counts(await take(out, '', other))).toEqual([2, 0, 0, 0]);
  const [copy] = await list(other);
  expect(copy).toMatchObject({ status: 'draft', texts: { en: { title: 'Returns' }, ar: { title: 'الإرجاع' } } });
  expect((await read(copy?._id ?? '')).texts[0]).toMatchObject({ description: 'd: "x"', alsoAsked: ['a', 'b: c'] });
  expect(counts(await take(out, '', other))).toEqual([0, 0, 2, 0]);
});

describe('hostile files', () => {
  test.each([
    ['no zip file', strToU8('not a zip file')],
    ['a cut one', zip({ 'en/a.md': strToU8('# A'.repeat(1_000)) }).slice(0, 40)],
    ['zeros', new Uint8Array(1_000)],
  ])('%s is refused, or nothing is taken from it', async (_what, bytes) => {
    const { status, body } = await send(new Uint8Array(bytes));
    expect(status === 422 || body.data.added === 0).toBe(true);
    expect(await list()).toEqual([]);
  });

  test('an entry that unpacks to more than it may is left out', async () => {
    const bomb = new Uint8Array(20 * 1024 * 1024);
    const done = await take({ 'en/bomb.md': bomb, 'en/a.md': strToU8('# A') });
    expect([done.added, done.leftOut.map(({ source }) => source)]).toEqual([1, ['en/bomb.md']]);
  });

  test('many entries that are small when packed are refused', async () => {
    const bomb = new Uint8Array(500 * 1024);
    const many: Zippable = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`en/${i}.md`, bomb]));
    expect((await send(zip(many))).status).toBe(422);
  });

  test('sizes that lie are not believed', async () => {
    const bytes = zip({ 'en/a.md': strToU8('# A\n'.repeat(1_000)) });
    // The unpacked size in the local header.
    new DataView(bytes.buffer).setUint32(22, 3, true);
    expect((await send(bytes)).body.data.added).toBe(1);
  });

  test('names are only names', async () => {
    const done = await take({ '../../../en/../../etc/en/passwd.md': strToU8('# P'), 'en\\..\\x.md': strToU8('# X') });
    expect(done.added + done.leftOut.length).toBe(2);
    expect((await list()).map(({ texts }) => texts.en?.title)).toEqual(['P']);
  });
});
