import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, startNode, type TestCluster } from '#test/nodes';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { PlatformFigures } from '../../../contract.ts';
import { NodeModel, registerNode } from './nodes.ts';
import { openRedis } from './stream.ts';

describe('a database with a running node', () => {
  let cluster: TestCluster;
  let first: TestServer;
  let admin: Account;
  beforeAll(async () => {
    cluster = await startCluster(1);
    first = cluster.nodes[0] as TestServer;
    admin = await signUp(first.api);
  });
  afterAll(() => cluster.stop());

  const figuresOf = async ({ api }: TestServer): Promise<PlatformFigures> =>
    (await api('GET /admin/overview', { token: admin.token })).body.data;

  test('shows all nodes to the administrator, with what is wrong with each', async () => {
    const second = await startNode(cluster.env);
    const nodes = async () => (await figuresOf(second)).nodes;
    await until(async () => (await nodes()).every(({ problems }) => problems.length === 0));
    expect(await nodes()).toHaveLength(2);
    const metrics = async () => (await fetch(`${second.url}/metrics`)).text();
    await until(async () => /^parley_cluster_nodes 1$/m.test(await metrics()));
    expect(await metrics()).toMatch(/^parley_redis_up 1$/m);
    await cluster.redis.down();
    await until(async () => (await nodes()).every(({ problems }) => problems.includes('redis')));
    const { body } = await second.api('GET /self-check', { token: admin.token });
    expect(body.data.nodes).toEqual(await nodes());
    const stranger = await signUp(second.api);
    const asked = await second.api('GET /self-check', { token: stranger.token });
    expect(asked.body.data).toMatchObject({ nodes: [] });
    expect(asked.body.data.storage).toEqual({ writable: true });
    expect(await metrics()).toMatch(/^parley_redis_up 0$/m);
    await cluster.redis.up();
    await until(async () => (await nodes()).every(({ problems }) => problems.length === 0));
    await second.stop();
    expect(await NodeModel.countDocuments()).toBe(1);
  });

  test('counts the connections to all nodes, without those that do not answer', async () => {
    const second = await startNode(cluster.env);
    const site = await createSite(first.api, admin.token);
    const session = await visit(first.api, site);
    await connectStaff(first.url, admin.token);
    await connectStaff(second.url, admin.token);
    await connectVisitor(second.url, session.visitorToken);
    for (const node of [first, second])
      await until(async () => {
        const { sockets } = await figuresOf(node);
        return sockets.dashboards === 2 && sockets.widgets === 1;
      });
    const entry = await NodeModel.findOne().lean();
    const crashed = { _id: 'crashed', startedAt: new Date(), at: new Date(Date.now() - 20_000) };
    await NodeModel.create({ ...entry, ...crashed, sockets: { dashboards: 7, widgets: 9 } });
    const { sockets, nodes } = await figuresOf(first);
    expect(sockets).toEqual({ dashboards: 2, widgets: 1 });
    expect(nodes.map(({ sockets }) => sockets)).toEqual([
      { dashboards: 1, widgets: 0 },
      { dashboards: 1, widgets: 1 },
      { dashboards: 0, widgets: 0 },
    ]);
    hangUp();
    await NodeModel.deleteOne({ _id: 'crashed' });
    await second.stop();
  });

  test('lets a node that hears the others late ask who is there, and its clients what is new', async () => {
    const ben = await signUp(first.api, 'Ben');
    const { _id: siteId } = await createSite(first.api, admin.token);
    await cluster.redis.down();
    const second = await startNode(cluster.env);
    await connectStaff(first.url, admin.token);
    const { socket } = await connectStaff(second.url, ben.token);
    await cluster.redis.up();
    await until(async () => !socket.connected);
    const members = () => second.api(`GET /team/members?siteId=${siteId}`, { token: admin.token });
    await until(async () => (await members()).body.data.members[0].online);
    hangUp();
    await second.stop();
  });

  test('assigns chats and says who is there by a department that was changed on another', async () => {
    const second = await startNode(cluster.env);
    const site = await createSite(first.api, admin.token);
    await connectStaff(first.url, admin.token);
    await first.api(`PATCH /sites/${site._id}`, { token: admin.token, body: { settings: { autoAssign: true } } });
    const path = `/sites/${site._id}/departments`;
    const department = { name: 'Orders', members: [admin.user._id] };
    const made = await first.api(`POST ${path}`, { token: admin.token, body: department });
    const { _id } = made.body.data.departments[0];
    const session = await visit(second.api, site);
    const isOnline = async () => (await second.api(`GET /widget/${site.widgetCode}`)).body.data.departments[0].online;
    await until(isOnline);
    const widget = await connectVisitor(second.url, session.visitorToken);
    const shown = () => widget.heard('config_changed').at(-1)?.config.departments[0].online;
    const change = (api: TestServer['api'], hours: object | null, rev: number) =>
      api(`PATCH ${path}/${_id}`, { token: admin.token, body: { hours, rev } });
    await change(first.api, { timeZone: 'UTC', days: [] }, 1);
    await until(async () => !(await isOnline()) && shown() === false);
    const body = { clientId: crypto.randomUUID(), content: 'Hello', department: _id };
    const call = `POST /widget/${site.widgetCode}/messages`;
    const { chat } = (await second.api(call, { token: session.visitorToken, body })).body.data;
    const claimer = async () =>
      (await first.api(`GET /chats/${chat._id}`, { token: admin.token })).body.data.chat.claimedBy;
    expect(await claimer()).toBeNull();
    await change(second.api, null, 2);
    await until(async () => (await claimer())?._id === admin.user._id);
    await until(async () => shown() === true);
    hangUp();
    await second.stop();
  });

  test('refuses an API key that was revoked on another', async () => {
    const second = await startNode(cluster.env);
    const body = { name: 'Script', scope: 'read', currentPassword: PASSWORD };
    const { apiKey, key } = (await first.api('POST /api-keys', { token: admin.token, body })).body.data;
    const status = async () => (await second.api('GET /sites', { token: key })).status;
    expect(await status()).toBe(200);
    await first.api(`DELETE /api-keys/${apiKey._id}`, { token: admin.token });
    await until(async () => (await status()) === 401);
    await second.stop();
  });

  test('measures by the clock of the database how far the clocks of the nodes are apart', async () => {
    const [entry] = await NodeModel.find().lean();
    if (!entry) throw new Error('there is no node');
    await NodeModel.create({ ...entry, _id: 'slow', address: 'slow:3000', clockAheadMs: -30_000 });
    const { nodes } = await figuresOf(first);
    expect(nodes.find(({ address }) => address === 'slow:3000')?.problems).toContain('clock');
    const keys = {
      JWT_SECRET: cluster.env.jwtSecret ?? '',
      DATA_KEY: cluster.env.dataKey ?? '',
      VAPID_PRIVATE_KEY: cluster.env.vapid?.privateKey ?? '',
    };
    const own = {
      id: 'own',
      address: 'own:3000',
      version: entry.version,
      dataVersion: 0,
      sockets: () => entry.sockets,
    };
    const registration = await registerNode({ ...own, keys, state: () => ({ isWell: true }) });
    expect(registration.slowestBehindMs()).toBeGreaterThan(28_000);
    await registration.leave();
    await NodeModel.deleteOne({ _id: 'slow' });
  });

  test('lists it, and says that it lives', async () => {
    const [node] = await NodeModel.find().lean();
    expect(node).toMatchObject({ alone: false, address: expect.stringMatching(/:\d+$/) });
    expect(node?.sockets).toEqual({ dashboards: 0, widgets: 0 });
    expect(Math.abs(node?.clockAheadMs ?? 9_999)).toBeLessThan(2_000);
    await until(async () => ((await NodeModel.findById(node?._id).lean())?.beat ?? 0) > (node?.beat ?? 0));
  });

  test('refuses a node with other secrets, says which, and leaves no connection to Redis', async () => {
    const redis = openRedis(cluster.redis.url, () => {});
    await until(async () => redis.isReady);
    const database = new URL(cluster.redis.url).pathname.slice(1) || '0';
    const connections = async () =>
      String(await redis.sendCommand(['CLIENT', 'LIST'])).split(` db=${database} `).length - 1;
    const before = await connections();
    const other = { jwtSecret: 'another-one'.repeat(4), dataKey: 'yet-another'.repeat(4) };
    await expect(startNode({ ...cluster.env, ...other })).rejects.toThrow(
      /uses the same database with another JWT_SECRET and another DATA_KEY\. All nodes need the same\.$/,
    );
    expect(await NodeModel.countDocuments()).toBe(1);
    await until(async () => (await connections()) === before);
    redis.destroy();
  });

  test('refuses a node that would not hear the others', async () => {
    await expect(startNode({ ...cluster.env, redisUrl: null })).rejects.toThrow(
      /To run several nodes, set REDIS_URL for each of them/,
    );
    expect(await NodeModel.countDocuments()).toBe(1);
  });

  test('lets a node start after the crash of another that stood in its way', async () => {
    const [node] = await NodeModel.find().lean();
    await NodeModel.create({ ...node, _id: 'crashed', keys: { ...node?.keys, DATA_KEY: 'other' } });
    const second = await startNode(cluster.env);
    await second.stop();
  });
});

test('a cluster of which a node cannot start leaves no process running', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  const before = processes();
  await expect(startCluster(1, { trustProxy: ['no address'] })).rejects.toThrow('no address');
  await until(async () => processes() === before);
});
