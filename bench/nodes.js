// npm run bench -- nodes [SECONDS [mongodb://…]]: what more nodes bring and cost, with the embedded store in a process of its own, and Redis:
// messages a second and processor time of all processes with 1, 2 and 3 nodes; how long a visitor's message takes to an agent on
// another node; what an event costs a node that has nobody to tell it to; what signing the events costs. With the address of a
// database, each number of nodes is measured with that, too, in a new database for each, which is left there; the processor time
// is then without the database's.
import { randomUUID } from 'node:crypto';
import { startNodes } from '../scripts/cluster/cluster.js';
import { cpuMs } from './tools/cpu.js';
import { connectVisitors, saturate, sendAtRate } from './tools/load.js';
import { callApi } from './tools/parley.js';
import { signingCost, watchEntries } from './tools/signing.js';
import { SocketClient } from './tools/socket-client.js';
import { median } from './tools/statistics.js';
import { MEMBER } from './tools/targets.js';

const [, , , seconds = '5', OTHER] = process.argv;
const ROUND_MS = Number(seconds) * 1_000;
const WARM_UP_MS = 2_000;
const COUNTS = [1, 2, 3];
const VISITORS = 150;
/** Few enough that nothing queues. */
const CALM_RATE = 100;
const CALM_ROUNDS = 3;
const MORE_MAX_MS = 3;
const QUIET = { RATE_LIMITS: 'off', LOG_LEVEL: 'error' };

for (const count of COUNTS) {
  await measure(count, 'the embedded store', QUIET);
  if (OTHER) await measure(count, OTHER.replace(/\/\/.*@/, '//'), { ...QUIET, MONGODB_URI: inNewDatabase(OTHER) });
}
process.exit();

async function measure(count, where, env) {
  const cluster = await startNodes(count, env);
  try {
    const pids = [...cluster.nodes.map(({ pid }) => pid), cluster.store.pid(), cluster.redis.pid()];
    const target = await targetOf(cluster.nodes.map(({ url }) => url.replace('localhost', '127.0.0.1')));
    const crowd = await connectVisitors(target, VISITORS, { plain: true });
    await saturate(crowd, WARM_UP_MS);
    const entries = count > 1 && (await watchEntries(cluster.redis.url));
    const before = allMs(pids);
    const { count: messages, seconds } = await saturate(crowd, ROUND_MS);
    const us = ((allMs(pids) - before) * 1_000) / messages;
    console.log(
      `${count} nodes, ${where}: ${Math.round(messages / seconds)} messages/s, ${Math.round(us)} µs of all processors each`,
    );

    if (entries) {
      await showSigning(await entries.end(), { nodes: count, messages, us });
      const [near, far] = await compareDistances(target);
      const more = `${(far.p50 - near.p50).toFixed(2)} ms over one node's, goal ≤ ${MORE_MAX_MS}`;
      console.log(
        `  visitor to agent: p50 ${near.p50.toFixed(2)} ms on one node, ${far.p50.toFixed(2)} ms from another (${more})`,
      );
      if (count === COUNTS.at(-1)) await idleCost(cluster, far.crowd);
    }
  } finally {
    await cluster.stop();
  }
}

/** Not by `URL`, which knows no address with several hosts. */
function inNewDatabase(address) {
  return address.replace(/^([^/]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/parley_bench_${Date.now()}`);
}

/** Visitors on the agent's node and on the first one, in turns, so that other load on the machine affects both. */
async function compareDistances(target) {
  const sides = [];
  for (const node of [target.last, 0]) {
    target.only(node);
    sides.push({ crowd: await connectVisitors(target, VISITORS, { plain: true }), times: [] });
  }
  for (let round = 0; round < CALM_ROUNDS; round++)
    for (const { crowd, times } of sides) times.push((await sendAtRate(crowd, CALM_RATE, ROUND_MS / CALM_ROUNDS)).p50);
  return sides.map(({ crowd, times }) => ({ crowd, p50: median(times) }));
}

/** The processor time that a message costs a node in the middle, which has no socket of the site's at all. */
async function idleCost({ nodes }, crowd) {
  // The visitors of the first round are still on it, but hear nothing: their chats are their own.
  const [, idle] = nodes;
  const atRest = cpuMs(idle.pid).all;
  await new Promise((done) => setTimeout(done, ROUND_MS));
  const rest = cpuMs(idle.pid).all - atRest;
  const before = cpuMs(idle.pid).all;
  const { count, seconds } = await saturate(crowd, ROUND_MS);
  const used = cpuMs(idle.pid).all - before - rest * ((seconds * 1_000) / ROUND_MS);
  console.log(
    `  an event for a node with nobody listening: ${((used * 1_000) / count).toFixed(1)} µs a message (goal ≤ 15)`,
  );
}

/** The share of signatures in the processor time of a message: one node writes its entries, all others read them. */
async function showSigning({ count, sample }, { nodes, messages, us }) {
  const { signed, plain } = await signingCost(sample);
  const each = count / messages;
  const share = (each * (signed.write - plain.write + (nodes - 1) * (signed.read - plain.read))) / us;
  const times = ({ write, read }) => `${write.toFixed(1)} µs to write and ${read.toFixed(1)} to read`;
  console.log(
    `  an entry of events: ${times(signed)}, without signature ${times(plain)}; ${each.toFixed(2)} entries a message, so signatures are ${(share * 100).toFixed(1)} % of it`,
  );
}

function allMs(pids) {
  return pids.reduce((sum, pid) => sum + cpuMs(pid).all, 0);
}

/** The nodes as one target of the load generator: visitors in turn on each node, the agent on the last one. */
async function targetOf(urls) {
  const [first] = urls;
  const call = (what, options) => callApi(first, what, options);
  const form = { name: 'Ana Ruiz', ...MEMBER, confirmPassword: MEMBER.password };
  const { token } = await call('POST /auth/register', { body: form });
  const { site } = await call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  let turn = 0;
  let at = null;
  return {
    name: `${urls.length} nodes`,
    last: urls.length - 1,
    only: (node) => {
      at = node;
    },
    agent: () => SocketClient.open(urls.at(-1), '/', { token }),
    visitors: (count) =>
      Promise.all(Array.from({ length: count }, () => call(`POST /widget/${site.widgetCode}/session`, { body: {} }))),
    async connect({ visitorToken }) {
      const client = await SocketClient.open(urls[at ?? turn++ % urls.length], '/visitor', { visitorToken });
      await client.ask('sync', {});
      return { client };
    },
    send: ({ client }, content, clientId = randomUUID()) => client.ask('send_message', { clientId, content }),
  };
}
