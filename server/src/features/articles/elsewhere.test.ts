import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Site, WebhookPayload } from '#contract';
import { type Account, createSite, signUp, until } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { type Receiver, startReceiver } from '#test/receivers';
import { connectStaff, hangUp } from '#test/sockets';

let cluster: TestCluster;
let receiver: Receiver;
let here: TestServer;
let there: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  receiver = await startReceiver();
  cluster = await startCluster(2, {}, { webhookCertificate: receiver.certificate });
  [here, there] = cluster.nodes as [TestServer, TestServer];
  owner = await signUp(here.api, 'Olga');
  site = await createSite(here.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await cluster.stop();
  await receiver.stop();
});

const call = (what: string, body?: object, node = here) => node.api(what, { token: owner.token, body });
const payloads = (): WebhookPayload[] => receiver.received('/articles').map(({ payload }) => payload);

test('what is written on one node is seen and announced on the other, and of two nodes that save one is refused', async () => {
  const { body } = await call(`POST /sites/${site._id}/articles`, { title: 'Returns', text: 'one' });
  const article = body.data.article._id;
  const ear = await connectStaff(there.url, owner.token);
  const saves = await Promise.all(
    [here, there].map((node, at) => call(`PUT /articles/${article}/texts/en`, { text: `${at}`, rev: 1 }, node)),
  );
  expect(saves.map(({ status }) => status).sort()).toEqual([200, 409]);
  const told = { siteId: site._id, articleId: article };
  await until(async () => ear.heard('articles_updated').some((each) => isDeepStrictEqual(each, told)));
  const reads = await Promise.all([here, there].map((node) => call(`GET /articles/${article}`, undefined, node)));
  expect(reads[0]?.body.data).toEqual(reads[1]?.body.data);
});

test('a setting that is changed on one node holds on the other at once', async () => {
  const change = { enabled: true, handle: `h-${site._id}`, rev: 0 };
  expect((await call(`PATCH /sites/${site._id}/help-center`, change)).status).toBe(200);
  await until(
    async () => (await call(`GET /sites/${site._id}/help-center`, undefined, there)).body.data.helpCenter.rev === 1,
  );
  expect((await call(`PATCH /sites/${site._id}/help-center`, { ...change, rev: 0 }, there)).body.code).toBe(
    'SETTINGS_CHANGED',
  );
});

test('programs are told what was published, once for each state', async () => {
  const hook = { url: receiver.url('/articles'), events: ['article.published'] };
  expect((await call(`POST /sites/${site._id}/webhooks`, hook)).status).toBe(201);
  const { body } = await call(`POST /sites/${site._id}/articles`, { title: 'Shipping' });
  const article = body.data.article._id;
  const publish = () => call(`POST /articles/${article}/publish`, {});
  await publish();
  await publish();
  await call(`PUT /articles/${article}/texts/en`, { title: 'Shipping costs', rev: 1 });
  await publish();
  await until(async () => payloads().length >= 2);
  expect(payloads().map(({ type, data }) => [type, data.article?.title, data.by?.name])).toEqual([
    ['article.published', 'Shipping', 'Olga'],
    ['article.published', 'Shipping costs', 'Olga'],
  ]);
  expect(payloads()[0]?.data.article).toMatchObject({ _id: article, lang: 'en', url: null });
});
