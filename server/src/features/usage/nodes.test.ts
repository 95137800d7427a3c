import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Account, createSite, newChat, say, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, startNode, type TestCluster } from '#test/nodes';
import type { Site, SiteUsage, VisitorSession } from '../../../contract.ts';
import { NodeModel } from '../../platform/cluster/nodes.ts';
import { createLimits } from '../../platform/http/limits/limits.ts';
import { HOUR_MS } from '../../platform/time/time.ts';
import { createUsage } from './counter.ts';
import { UsageModel } from './model.ts';

/** Of a message with 500 characters. */
const MESSAGE_BYTES = 1_000;
const MESSAGES_MAX = 12;

describe('two nodes that write their counters once an hour', () => {
  let cluster: TestCluster;
  let owner: Account;

  beforeAll(async () => {
    const limits = { siteTextBytes: MESSAGES_MAX * MESSAGE_BYTES, visitorMessages: 1_000 };
    cluster = await startCluster(2, { rateLimits: true, limits }, { usageEveryMs: HOUR_MS });
    owner = await signUp(node(0).api, 'Olga Owner');
  });
  afterAll(() => cluster.stop());

  const node = (i: number) => cluster.nodes[i] as TestServer;
  const usageOf = async (i: number, { _id }: Site): Promise<SiteUsage> =>
    (await node(i).api(`GET /sites/${_id}/usage`, { token: owner.token })).body.data.usage;
  const write = (i: number, site: Site, { visitorToken }: VisitorSession) =>
    node(i).api(`POST /widget/${site.widgetCode}/messages`, {
      token: visitorToken,
      body: { clientId: randomUUID(), content: 'x'.repeat(500) },
    });

  test('a site that is full or empty through one node is so on the other', async () => {
    const site = await createSite(node(0).api, owner.token);
    const session = await visit(node(0).api, site);
    const { body } = await write(0, site, session);
    for (let i = 1; i < MESSAGES_MAX; i++) expect((await write(0, site, session)).status).toBe(201);
    await until(async () => (await usageOf(1, site)).text.bytes === MESSAGES_MAX * MESSAGE_BYTES);
    expect(await write(1, site, session)).toMatchObject({ status: 413, body: { code: 'SITE_FULL' } });

    const { token } = owner;
    expect((await node(0).api(`DELETE /chats/${body.data.chat._id}`, { token })).status).toBe(200);
    await until(async () => (await write(1, site, session)).status === 201);
  });

  test('a recount counts once what another node has counted and not written', async () => {
    const site = await createSite(node(0).api, owner.token);
    await say(node(1).api, site, await visit(node(1).api, site), 'x'.repeat(500));
    await until(async () => (await usageOf(1, site)).text.bytes === MESSAGE_BYTES);
    expect(await UsageModel.exists({ _id: site._id })).toBe(null);

    const { port } = new URL(node(0).url);
    const own = (await NodeModel.find().lean()).find(({ address }) => address.endsWith(`:${port}`))?._id;
    const usage = await createUsage({ limits: createLimits({ on: false }), node: own ?? '', everyMs: HOUR_MS });
    await usage.recount(site._id, new Date(), async () => ({ text: MESSAGE_BYTES, files: 0 }));
    await usage.stop();
    // A node that stops writes what it has counted.
    await cluster.nodes.pop()?.stop();
    expect(await UsageModel.findById(site._id).lean()).toMatchObject({
      text: MESSAGE_BYTES,
      countedAt: expect.any(Date),
    });
  });
});

test('a node that starts or stops keeps the counts of those that run', async () => {
  const cluster = await startCluster(1);
  onTestFinished(() => cluster.stop());
  const [first] = cluster.nodes as [TestServer];
  const owner = await signUp(first.api);
  const site = await createSite(first.api, owner.token);
  await newChat(first.api, site, owner.token, 'Hello');
  const stored = () => UsageModel.findById(site._id).lean();
  await until(async () => (await stored())?.text);
  await UsageModel.updateOne({ _id: site._id }, { $set: { countedAt: new Date() } });
  const before = await stored();

  const second = await startNode(cluster.env);
  await newChat(second.api, site, owner.token, 'Hello again');
  await until(async () => (await stored())?.text !== before?.text);
  await second.stop();
  const after = await stored();
  // The job of the first may have counted it meanwhile.
  expect(Number(after?.countedAt)).toBeGreaterThanOrEqual(Number(before?.countedAt));
  // A crash of the first is noticed all the same.
  expect(after?.writers).toEqual(before?.writers);
});
