import { afterEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until } from '#test/factories';
import type { TestServer } from '#test/harness';
import { sharedDatabase, startCluster, startNode, type TestCluster } from '#test/nodes';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { plainEntries } from './entries.ts';
import { NodeModel } from './nodes.ts';
import { openRedis, openStream } from './stream.ts';

const FORMER_KEY = 'parley:events';

let undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  hangUp();
  for (const step of undo.toReversed()) await step();
  undo = [];
});

async function started(...of: Parameters<typeof startCluster>): Promise<TestCluster> {
  const cluster = await startCluster(...of);
  undo.push(cluster.stop);
  return cluster;
}

const isOnline = async ({ api }: TestServer, { token }: Account, { _id }: Site, user: string) => {
  const { members } = (await api(`GET /team/members?siteId=${_id}`, { token })).body.data;
  return members.find((member: { _id: string }) => member._id === user).online;
};

describe('a Redis', () => {
  test('keeps apart two installations with the same secrets', async () => {
    const production = await started(1, { rateLimits: true });
    const { redisUrl = null, jwtSecret = null, dataKey = null } = production.env;
    const database = await sharedDatabase();
    undo.push(database.stop);
    const secrets = { redisUrl, jwtSecret, dataKey };
    const other = await startNode({ ...secrets, mongodbUri: database.uri, rateLimits: true });
    undo.push(other.stop);
    const one = production.nodes[0] as TestServer;
    const heard = async ({ url }: TestServer) =>
      /^parley_cluster_nodes (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    const redis = openRedis(redisUrl ?? '', () => {});
    undo.push(async () => redis.destroy());
    const streams = () => redis.keys('parley:*:events');
    await until(async () => redis.isReady && (await streams()).length === 2);
    expect([await heard(one), await heard(other)]).toEqual(['0', '0']);

    // Counted apart, and nobody is named.
    for (const { api } of [one, other]) await api('POST /auth/forgot', { body: { email: 'somebody@example.com' } });
    const limits = (await redis.keys('*')).filter((key) => !key.endsWith(':events'));
    expect(limits.filter((key) => key.includes(':forgotPerIp:'))).toHaveLength(2);
    expect(limits.filter((key) => !/^parley:[\w-]{16}:[a-zA-Z]+:[\w-]{16}$/.test(key))).toEqual([]);
  });

  test('connects a node with one of the version before, during an update, and with nobody else there', async () => {
    const { nodes, redis } = await started(1);
    const node = nodes[0] as TestServer;
    const owner = await signUp(node.api, 'Olga Owner');
    const [ben, eve] = [await signUp(node.api, 'Ben Okafor'), await signUp(node.api, 'Eve Mallory')];
    const site = await createSite(node.api, owner.token);
    for (const member of [ben, eve]) await join(site, member, 'agent');
    const { signs: _, ...entry } = (await NodeModel.findOne().lean()) ?? { signs: true };
    await NodeModel.collection.insertOne({ ...entry, _id: 'former' } as never);

    const heard: string[] = [];
    const as = (name: string) => {
      const received = ({ name }: { name: string }) => void heard.push(name);
      const missed = () => {};
      const deps = { url: redis.url, key: FORMER_KEY, entries: plainEntries, node: name, received, missed };
      const stream = openStream({ ...deps, isListed: async () => true, failed: missed });
      undo.push(stream.stop);
      return stream;
    };
    const [former, stranger] = [as('former'), as('stranger')];
    await until(async () => heard.includes('beat'));
    const report = (user: string, node: string) => ({
      name: 'presenceReported',
      data: { node, isWhole: false, agents: { [user]: true }, visitors: {} },
    });
    stranger.publish(report(eve.user._id, 'stranger'));
    former.publish(report(ben.user._id, 'former'));
    await until(() => isOnline(node, owner, site, ben.user._id));
    expect(await isOnline(node, owner, site, eve.user._id)).toBe(false);
    await connectStaff(node.url, owner.token);
    await until(async () => heard.includes('presenceReported'));
  });
});
