import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Article, HelpCenter, Site } from '#contract';
import { type Account, createSite, join, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';

let server: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
});
afterAll(() => server.stop());

const call = (what: string, body?: object, token = owner.token) => server.api(what, { token, body });

async function create(body: object = {}, token = owner.token): Promise<Article> {
  const answer = await call(`POST /sites/${site._id}/articles`, { title: 'Returns', ...body }, token);
  expect(answer.status).toBe(201);
  return answer.body.data.article;
}

const save = ({ _id }: Article, body: object, { lang = 'en', token = owner.token } = {}) =>
  call(`PUT /articles/${_id}/texts/${lang}`, body, token);
const publish = ({ _id }: Article, body: object = {}) => call(`POST /articles/${_id}/publish`, body);
const list = async (): Promise<{
  articles: { _id: string; status: string; category: string | null; texts: object }[];
}> => (await call(`GET /sites/${site._id}/articles`)).body.data;
const configure = async (body: object): Promise<HelpCenter> =>
  (await call(`PATCH /sites/${site._id}/help-center`, body)).body.data.helpCenter;

test('an article is written, published, changed, withdrawn and deleted', async () => {
  await configure({ enabled: true, handle: `shop-${site._id}`, rev: 0 });
  const article = await create();
  expect(article).toMatchObject({
    status: 'draft',
    category: null,
    urls: {},
    texts: [{ lang: 'en', rev: 1, slug: '' }],
  });
  const text = 'Within **14 days**.';
  const saved = (await save(article, { text, rev: 1 })).body.data.article;
  expect(saved.texts).toMatchObject([{ text, rev: 2, published: false, changed: true, outdated: false }]);
  expect(saved.updatedBy).toEqual({ _id: owner.user._id, name: owner.user.name });

  const published = (await publish(article)).body.data.article;
  expect(published).toMatchObject({
    status: 'published',
    texts: [{ slug: 'returns', published: true, changed: false }],
    urls: { en: `/help/shop-${site._id}/en/returns` },
  });
  expect((await save(article, { text: 'Changed', rev: 2 })).body.data.article.texts).toMatchObject([
    { published: true, changed: true },
  ]);
  expect((await call(`DELETE /articles/${article._id}`)).body.code).toBe('ARTICLE_PUBLISHED');
  const withdrawn = (await call(`PATCH /articles/${article._id}`, { status: 'archived' })).body.data.article;
  expect(withdrawn).toMatchObject({ status: 'archived', urls: {}, texts: [{ published: false }] });
  expect((await call(`DELETE /articles/${article._id}`)).status).toBe(200);
  expect((await call(`GET /articles/${article._id}`)).body.code).toBe('ARTICLE_NOT_FOUND');
  expect((await list()).articles).toEqual([]);
});

test('of two who save the same state, the second one gets a conflict, and nothing is overwritten', async () => {
  const article = await create();
  const answers = await Promise.all(['one', 'two', 'three'].map((text) => save(article, { text, rev: 1 })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const won = answers.findIndex(({ status }) => status === 200);
  expect(answers[(won + 1) % 3]?.body.code).toBe('ARTICLE_CHANGED');
  const now = (await call(`GET /articles/${article._id}`)).body.data.article.texts[0];
  expect(now).toMatchObject({ rev: 2, text: ['one', 'two', 'three'][won] });
  // The answer of the first one was lost, so it is sent again.
  expect((await save(article, { text: now.text, rev: 1 })).body.data.article.texts[0].rev).toBe(2);
});

test('two who begin the same translation do not overwrite each other', async () => {
  const article = await create();
  const answers = await Promise.all(['eins', 'zwei'].map((text) => save(article, { text, rev: 0 }, { lang: 'de' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('what is saved while it is published is published, or is the next state', async () => {
  const article = await create({ text: 'first' });
  const [saved, published] = await Promise.all([save(article, { text: 'second', rev: 1 }), publish(article)]);
  expect([saved.status, published.status]).toEqual([200, 200]);
  const { texts } = (await call(`GET /articles/${article._id}`)).body.data.article;
  expect(texts).toMatchObject([{ text: 'second', rev: 2, published: true, slug: 'returns' }]);
  expect((await publish(article)).body.data.article.texts).toMatchObject([{ changed: false }]);
});

test('titles that are alike get numbered addresses, and one that was chosen is taken only once', async () => {
  const slugs: string[] = [];
  for (let count = 0; count < 3; count++) slugs.push((await publish(await create())).body.data.article.texts[0].slug);
  expect(slugs).toEqual(['returns', 'returns-2', 'returns-3']);
  const other = await create({ title: '😀' });
  await save(other, { slug: ' Returns! ', rev: 1 });
  expect((await publish(other)).body).toMatchObject({ code: 'SLUG_TAKEN' });
  await save(other, { slug: '', rev: 2 });
  expect((await publish(other)).body.data.article.texts).toMatchObject([{ slug: 'article' }]);
  expect((await publish(await create({ title: ' ' }))).body.code).toBe('VALIDATION_FAILED');
});

test('a translation is outdated when the original was written later', async () => {
  await configure({ languages: ['de'], rev: 0 });
  const article = await create({ text: 'Original' });
  await save(article, { title: 'Rückgabe', text: 'Übersetzung', rev: 0 }, { lang: 'de' });
  const outdated = async () => {
    const { texts } = (await call(`GET /articles/${article._id}`)).body.data.article;
    expect((await list()).articles[0]?.texts).toMatchObject({ de: { outdated: texts[1].outdated } });
    return texts.map((text: { lang: string; outdated: boolean }) => [text.lang, text.outdated]);
  };
  expect(await outdated()).toEqual([
    ['en', false],
    ['de', false],
  ]);
  await save(article, { text: 'Original, changed', rev: 1 });
  expect(await outdated()).toEqual([
    ['en', false],
    ['de', true],
  ]);
  await save(article, { alsoAsked: ['Rücksendung'], rev: 1 }, { lang: 'de' });
  expect(await outdated()).toEqual([
    ['en', false],
    ['de', false],
  ]);
  expect((await call(`DELETE /articles/${article._id}/texts/en`)).body.code).toBe('MAIN_LANGUAGE');
  expect((await call(`DELETE /articles/${article._id}/texts/de`)).body.data.article.texts).toHaveLength(1);
  expect((await call(`DELETE /articles/${article._id}/texts/xx`)).body.code).toBe('LANGUAGE_NOT_FOUND');
});

test('articles are listed by category and by hand', async () => {
  const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const categories = [
    { id: first, name: { en: 'Orders' } },
    { id: second, name: { en: 'Account', de: 'Konto' } },
  ];
  await call(`PUT /sites/${site._id}/help-center/categories`, { categories, rev: 0 });
  const made: string[] = [];
  for (const title of ['a', 'b', 'c', 'd'])
    made.push((await create({ title, category: title === 'd' ? second : null }))._id);
  const [a, b, c, d] = made;
  const order = (category: string | null, articles: unknown[]) =>
    call(`PUT /sites/${site._id}/articles/order`, { category, articles });
  expect((await order(second, [c, d, 'f'.repeat(24), c])).status).toBe(200);
  expect((await order(null, [b, a])).status).toBe(200);
  expect((await list()).articles.map(({ _id }) => _id)).toEqual([c, d, b, a]);
  expect((await order(first.replace('1', '3'), [a])).body.code).toBe('CATEGORY_NOT_FOUND');
  await call(`PUT /sites/${site._id}/help-center/categories`, { categories: categories.slice(0, 1), rev: 1 });
  expect((await list()).articles.map(({ category }) => category)).toEqual([null, null, null, null]);
});

test('agents write articles where the site lets them, and settings stay with admins', async () => {
  const [agent, viewer] = [await signUp(server.api), await signUp(server.api)];
  await join(site, agent, 'agent');
  await join(site, viewer, 'viewer');
  const article = await create();
  const asks = [
    (token: string) => save(article, { text: 'x', rev: 1 }, { token }),
    (token: string) => call(`POST /sites/${site._id}/articles`, { title: 'New' }, token),
    (token: string) => call(`PUT /sites/${site._id}/help-center/categories`, { categories: [], rev: 9 }, token),
    (token: string) => call(`PATCH /sites/${site._id}/help-center`, { agentsEdit: true, rev: 9 }, token),
  ];
  const statuses = ({ token }: Account) => Promise.all(asks.map(async (ask) => (await ask(token)).status));
  expect(await statuses(agent)).toEqual([403, 403, 403, 403]);
  await configure({ agentsEdit: true, rev: 0 });
  expect(await statuses(agent)).toEqual([200, 201, 409, 403]);
  expect(await statuses(viewer)).toEqual([403, 403, 403, 403]);
});

test('a site has at most 500 articles, however many are added at once', async () => {
  const { ArticleModel } = await import('./model.ts');
  const about = { site: site._id, category: null, status: 'draft', createdAt: new Date(), updatedAt: new Date() };
  const many = Array.from({ length: 498 }, (_, position) => ({ ...about, position, updatedBy: owner.user._id }));
  await ArticleModel.insertMany(many);
  const answers = await Promise.all(Array.from({ length: 6 }, () => call(`POST /sites/${site._id}/articles`, {})));
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('ARTICLE_LIMIT_REACHED');
  expect(await ArticleModel.countDocuments({ site: site._id })).toBeLessThanOrEqual(500);
});
