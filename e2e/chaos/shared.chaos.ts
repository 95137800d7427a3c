import { randomUUID } from 'node:crypto';
import type { HistoryImport, Notice } from 'server/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startRelay } from '../../scripts/cluster/relay.js';
import { apiOf } from '../harness/api.ts';
import { type Cluster, type Node, startCluster } from '../harness/cluster.ts';
import { inDatabase } from '../harness/database.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { register } from '../harness/shop.ts';
import { summary } from './several-nodes.ts';

// What all nodes know together, while one after the other is killed with -9: imports, what sites store, and outages.

const NODES = 2;
const KILLS = Number(process.env.CHAOS_KILLS ?? 6);
const TIMEOUT_MS = 300_000;
const LOOK_EVERY_MS = 50;
const HOUR_MS = 3_600_000;

/** Enough that it is killed in the middle of them, each time. */
const PAST_CHATS = 10_000;
const PLAN = {
  columns: { conversation: 'id', time: 'at', sender: 'by', text: 'said', visitorEmail: 'mail' },
  timeZone: 'Europe/Berlin',
  dayFirst: true,
};

const TEXT_LENGTH = 500;
/** As the product counts: the text, and what is stored beside it. */
const MESSAGE_BYTES = 1_000;
const MESSAGES_MAX = 60;
/** Others read every two seconds what a node has written. */
const FULL_GOAL_S = 4;

/** Starts nodes with a site. */
async function openSite(env: Record<string, string> = {}) {
  const cluster = await startCluster(NODES, { env });
  onTestFinished(cluster.stop);
  const api = apiOf(cluster.origin);
  const { token } = await register(api, 'Ana Oliveira');
  const body = { name: 'Shop', domain: 'shop.example.com', settings: { autoAssign: false } };
  return { cluster, api, token, site: (await api('POST /sites', { token, body })).site };
}

const nodeAt = (cluster: Cluster, turn: number) => cluster.nodes[turn % NODES] as Node;
const inStore = <Result>({ store }: Cluster, work: Parameters<typeof inDatabase<Result>>[1]) =>
  inDatabase({ parley: { dataDir: store.dataDir } }, work);

/** Waits for something. @returns after how many milliseconds it is so */
async function until(check: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await vi.waitFor(check, { timeout: TIMEOUT_MS, interval: LOOK_EVERY_MS });
  return performance.now() - from;
}

test(`nodes are killed with -9 during an import, ${KILLS} times`, async () => {
  const { cluster, api, token, site } = await openSite();
  const rows = Array.from({ length: PAST_CHATS }, (_, i) => [
    `c${i},2024-05-06 09:00,visitor,Question number${i},p${i}@example.com`,
    `c${i},2024-05-06 09:01,agent,Answer,`,
  ]);
  const file = ['id,at,by,said,mail', ...rows.flat()].join('\n');
  const upload = async () => {
    const address = `${cluster.origin}/api/sites/${site._id}/imports?name=chats.csv`;
    const answer = await fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: file });
    return ((await answer.json()) as { data: { import: HistoryImport } }).data.import._id;
  };
  const run = (importId: string, dryRun: boolean) =>
    api('POST /sites/:id/imports/:importId/run', {
      token,
      params: { id: site._id, importId },
      body: { ...PLAN, dryRun },
    });
  const stateOf = async (importId: string) =>
    (await api('GET /sites/:id/imports/:importId', { token, params: { id: site._id, importId } })).import;

  const id = await upload();
  await run(id, false);
  let kills = 0;
  for (let known = 0; kills < KILLS; kills++) {
    await until(async () => {
      const { done, failure } = await stateOf(id);
      expect({ hasMore: done > known, failure }).toEqual({ hasMore: true, failure: null });
    });
    const node = nodeAt(cluster, kills);
    await node.kill9();
    await node.restart();
    const { status, done } = await stateOf(id);
    if (status === 'done') break;
    known = done;
  }
  const rest = await until(async () => expect((await stateOf(id)).status).toBe('done'));
  const all = { chats: PAST_CHATS, messages: 2 * PAST_CHATS, people: PAST_CHATS, knownChats: 0 };
  expect((await stateOf(id)).counts).toMatchObject(all);
  const counts = await inStore(cluster, async (db) =>
    Promise.all(['chats', 'messages', 'visitors'].map((name) => db.collection(name).countDocuments())),
  );
  // Each chat has a message that closes it.
  expect(counts).toEqual([PAST_CHATS, 3 * PAST_CHATS, PAST_CHATS]);

  const again = await upload();
  await run(again, true);
  await until(async () => expect((await stateOf(again)).status).toBe('checked'));
  expect((await stateOf(again)).counts).toMatchObject({ chats: 0, messages: 0, knownChats: PAST_CHATS });
  console.log(
    `${kills} × kill -9: an import of ${PAST_CHATS} chats, each once; over ${summary([rest])} after the last`,
  );
});

test(`a site is full on every node while nodes are killed with -9, ${KILLS} times`, async () => {
  const rates = [
    'registerPerIp',
    'visitorMessages',
    'visitorMessagesPerAddress',
    'visitorMessagesPerSite',
    'callsPerVisitor',
    'visitorCallsPerAddress',
  ];
  const LIMITS = [`siteTextBytes=${MESSAGES_MAX * MESSAGE_BYTES}`, ...rates.map((name) => `${name}=off`)].join();
  const { cluster, api } = await openSite({ RATE_LIMITS: 'on', LIMITS });
  const times: number[] = [];
  let most = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // An account has a few sites only.
    const { token } = await register(api, 'Ben Ito');
    const body = { name: `Shop ${kill}`, domain: 'shop.example.com', settings: { autoAssign: false } };
    const { site } = await api('POST /sites', { token, body });
    const params = { widgetCode: site.widgetCode };
    const { visitorToken } = await api('POST /widget/:widgetCode/session', { params, body: {} });
    const [writer, other] = [nodeAt(cluster, kill), nodeAt(cluster, kill + 1)];
    const write = (node: Node) =>
      apiOf(node.origin)('POST /widget/:widgetCode/messages', {
        token: visitorToken,
        params,
        body: { clientId: randomUUID(), content: 'x'.repeat(TEXT_LENGTH) },
      });
    const isFull = async ({ origin }: Node) => {
      const { usage } = await apiOf(origin)('GET /sites/:id/usage', { token, params: { id: site._id } });
      // What the writer counted last may have died with it.
      expect(usage.text.bytes).toBeGreaterThanOrEqual((MESSAGES_MAX - 1) * MESSAGE_BYTES);
    };
    /** It knows so before anybody writes there, and one more message may fit. */
    async function untilFull(node: Node): Promise<number> {
      const ms = await until(() => isFull(node));
      await write(node).catch(() => {});
      await expect(write(node)).rejects.toThrow(/^413 /);
      return ms;
    }

    for (let i = 0; i < MESSAGES_MAX; i++) await write(writer);
    await expect(write(writer)).rejects.toThrow(/^413 /);
    await writer.kill9();
    times.push(await untilFull(other));
    await writer.restart();
    times.push(await untilFull(writer));
    const stored = await inStore(cluster, (db) => db.collection('messages').countDocuments());
    most = Math.max(most, stored - (kill + 1) * MESSAGES_MAX);
  }
  const goal = Math.max(...times) <= FULL_GOAL_S * 1_000 ? '✓' : '✗';
  console.log(`${KILLS} × kill -9: full on the others ${summary(times)} (${goal} goal ${FULL_GOAL_S} s); ${most} over`);
});

test(`each node tells its outages, also while nodes are killed with -9, ${NODES} times`, async () => {
  const mailbox = await startMailbox();
  onTestFinished(mailbox.stop);
  const wire = await startRelay(() => ({ host: '127.0.0.1', port: Number(new URL(mailbox.url).port) }));
  onTestFinished(wire.stop);
  const env = { SMTP_URL: `smtp://127.0.0.1:${wire.port}`, PUBLIC_URL: 'http://localhost' };
  const { cluster, api, token } = await openSite(env);
  const send = ({ origin }: Node) =>
    apiOf(origin)('POST /self-check/mail', { token }).then(
      () => true,
      () => false,
    );
  /** The ports of the nodes that tell that mail fails there. */
  const told = async () => {
    const { notices } = await api('GET /notices', { token });
    const ports = notices.flatMap((notice: Notice) =>
      notice.about === 'mail' ? Number(/:(\d+): /.exec(notice.reason)?.[1]) : [],
    );
    return ports.toSorted();
  };
  const ports = cluster.nodes.map(({ port }) => port).toSorted();
  const [gone, back]: number[][] = [[], []];

  for (const node of cluster.nodes) {
    const others = ports.filter((port) => port !== node.port);
    wire.cut(true);
    const since = new Date(Date.now() - 2 * HOUR_MS);
    for (const one of cluster.nodes) await send(one);
    await inStore(cluster, (db) => db.collection('outages').updateMany({}, { $set: { since } }));
    await Promise.all(cluster.nodes.map((one) => one.restart()));
    for (const one of cluster.nodes) await send(one);
    await until(async () => expect(await told()).toEqual(ports));

    await node.kill9();
    gone?.push(await until(async () => expect(await told()).toEqual(others)));
    await node.restart();
    back?.push(await until(async () => expect(await told()).toEqual(ports)));
    wire.cut(false);
    expect(await send(node)).toBe(true);
    await until(async () => expect(await told()).toEqual(others));
    for (const one of cluster.nodes) await send(one);
    await until(async () => expect(await told()).toEqual([]));
  }
  console.log(
    `${NODES} × kill -9: outages of a killed node gone ${summary(gone ?? [])}, told again ${summary(back ?? [])}`,
  );
});
