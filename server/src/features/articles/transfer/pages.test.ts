import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ArticleEntry, ArticleImport, Site } from '#contract';
import { type Account, createSite, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Receiver, startReceiver } from '#test/receivers';
import { markdownOfPage } from './htmlToMarkdown.ts';

let receiver: Receiver;
let server: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ sitesPerAccount: 100 }, { webhookAgent: receiver.agent });
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const call = (what: string, body?: object) => server.api(what, { token: owner.token, body });
const html = { 'Content-Type': 'text/html; charset=utf-8' };
const serve = (path: string, body: string) => receiver.answer(path, () => ({ status: 200, headers: html, body }));
async function take(...paths: string[]): Promise<ArticleImport> {
  const urls = paths.map((path) => (path.startsWith('https:') ? path : receiver.url(path)));
  const { body } = await call(`/sites/${site._id}/articles/import-pages`.replace(/^/, 'POST '), { urls, lang: 'en' });
  return body.data;
}
const list = async (): Promise<ArticleEntry[]> => (await call(`GET /sites/${site._id}/articles`)).body.data.articles;

test('pages become drafts under the last part of their address, and a second time nothing is added', async () => {
  serve(
    '/help/returning-goods.html',
    '<title>Shop</title><nav>Menu</nav><main><h1>Returns</h1><p>14 <b>days</b>.</p></main>',
  );
  const first = await take('/help/returning-goods.html');
  expect(first).toEqual({ added: 1, changed: 0, unchanged: 0, leftOut: [] });
  const [entry] = await list();
  const { texts } = (await call(`GET /articles/${entry?._id}`)).body.data.article;
  expect(texts).toMatchObject([{ title: 'Returns', text: '14 **days**.', slug: 'returning-goods', published: false }]);
  expect(await take('/help/returning-goods.html')).toMatchObject({ added: 0, unchanged: 1 });
  await call(`PUT /articles/${entry?._id}/texts/en`, { slug: 'returns', rev: 1 });
  expect(await take('/help/returning-goods.html')).toMatchObject({ added: 0, changed: 1 });
  expect(await list()).toHaveLength(1);
});

test('what cannot be read is listed with its reason', async () => {
  serve('/large', `<p>${'x'.repeat(1_100_000)}</p>`);
  serve('/empty', '<title>Empty</title>');
  receiver.answer('/gone', () => 404);
  receiver.answer('/picture', () => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: 'x' }));
  receiver.answer('/private', () => ({ status: 302, headers: { Location: 'https://127.0.0.1/x' } }));
  receiver.answer('/plain', () => ({ status: 302, headers: { Location: 'http://hooks.example.com/x' } }));
  receiver.answer('/round', () => ({ status: 301, headers: { Location: '/round' } }));
  receiver.answer('/moved', () => ({ status: 301, headers: { Location: '/here' } }));
  serve('/here', '<h1>Here</h1><p>Text<img src="/p.png"></p>');
  const done = await take('/large', '/empty', '/gone', '/picture', '/private', '/plain', '/round', '/moved');
  expect(done.added).toBe(1);
  expect(done.leftOut.map(({ source, reason }) => [new URL(source).pathname, reason])).toEqual([
    ['/large', 'The page is too large.'],
    ['/empty', 'There is no text on the page.'],
    ['/gone', 'The server of the page answered 404.'],
    ['/picture', 'The address is not that of a page.'],
    ['/private', 'The page leads to an address that is not public.'],
    ['/plain', 'The page leads to an address that is not public.'],
    ['/round', 'The page leads to other addresses too often.'],
    ['/moved', 'Its pictures: 1. Add them to the article by hand.'],
  ]);
});

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
  'https://a:b@example.com/',
])('%s is refused before anybody is asked', async (url) => {
  const { body } = await call(`POST /sites/${site._id}/articles/import-pages`, { urls: [url], lang: 'en' });
  expect(body.code).toBe('VALIDATION_FAILED');
});

test('HTML becomes Markdown', () => {
  const page = markdownOfPage(
    `<html><head><title>T</title><style>x</style></head><body><header>Top</header><article><h1>How &amp; why</h1>
     <p>See <a href="../a (b)">this <em>page</em></a>, <code>x*y</code> and 2*3.</p>
     <h3>List</h3><ul><li>one<ul><li>inner</li></ul></li><li><p>two</p></li></ul><ol><li>first</li><li>second</li></ol>
     <blockquote><p>Note</p></blockquote><pre><code>let a = 1;\n  b</code></pre>
     <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><hr>
     <script>alert(1)</script><p><a href="javascript:x">no link</a></p></article><footer>End</footer></body></html>`,
    'https://shop.example.com/help/x',
  );
  expect(page).toMatchInlineSnapshot(`
    {
      "pictures": 0,
      "text": "See [this *page*](https://shop.example.com/a%20%28b%29), \`x*y\` and 2\\*3.

    ### List

    - one
       - inner
    - two

    1. first
    2. second

    > Note
    >
    \`\`\`
    let a = 1;
      b
    \`\`\`

    | A | B |
    | --- | --- |
    | 1 | 2 |

    ---

    no link",
      "title": "How & why",
    }
  `);
});
