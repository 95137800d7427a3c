import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '#test/factories';
import { startCluster, type TestCluster } from '#test/nodes';
import type { Article, HelpCenter, Site } from '../../../../contract.ts';

let cluster: TestCluster;
let owner: Account;
let site: Site;

beforeAll(async () => {
  cluster = await startCluster(2);
  owner = await signUp(node(0).api);
  site = await createSite(node(0).api, owner.token);
});
afterAll(() => cluster.stop());

function node(at: number) {
  const found = cluster.nodes[at];
  if (!found) throw new Error('There is no such node.');
  return found;
}

async function ask<Data>(at: number, call: string, body?: object): Promise<Data> {
  const answer = await node(at).api(call, { token: owner.token, ...(body && { body }) });
  expect(answer.body).toMatchObject({ success: true });
  return answer.body.data;
}

/** The status and the text of a page on a node. */
async function page(at: number, path: string): Promise<[status: number, text: string]> {
  const answer = await fetch(node(at).url + path, { redirect: 'manual' });
  return [answer.status, await answer.text()];
}

test('what one node publishes, changes and withdraws, the other one shows, finds and no longer shows', async () => {
  const { helpCenter } = await ask<{ helpCenter: HelpCenter }>(0, `PATCH /sites/${site._id}/help-center`, {
    enabled: true,
    handle: 'lanterns',
    widget: 'first',
    rev: 0,
  });
  expect(helpCenter.rev).toBe(1);
  // Both nodes have pages in memory before anything is published.
  for (const at of [0, 1]) await until(async () => (await page(at, '/help/lanterns/en'))[0] === 200);
  const body = { title: 'Where is my parcel?', text: 'Look into the **tracking link**.' };
  const { article } = await ask<{ article: Article }>(0, `POST /sites/${site._id}/articles`, body);
  await ask(0, `POST /articles/${article._id}/publish`, {});
  const path = '/help/lanterns/en/where-is-my-parcel';
  await until(async () => (await page(1, path))[1].includes('<strong>tracking link</strong>'));
  const answers = `GET /widget/${site.widgetCode}/answers?q=${encodeURIComponent('where is my parcel')}`;
  await until(async () => (await node(1).api(answers)).body.data.articles.length === 1);

  const [{ rev } = { rev: 0 }] = article.texts;
  await ask(1, `PUT /articles/${article._id}/texts/en`, { text: 'Ask **us**.', slug: 'parcel', rev });
  expect((await page(0, path))[1]).toContain('tracking link');
  await ask(1, `POST /articles/${article._id}/publish`, {});
  await until(async () => (await page(0, '/help/lanterns/en/parcel'))[1].includes('<strong>us</strong>'));
  expect((await page(0, path))[0]).toBe(301);

  await ask(0, `PATCH /articles/${article._id}`, { status: 'archived' });
  await until(async () => (await page(1, '/help/lanterns/en/parcel'))[0] === 410);
  await until(async () => (await node(1).api(answers)).body.data.articles.length === 0);
});
