import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onCore, pinMainThread } from './cpu.js';
import { startParley } from './parley.js';
import { SocketClient } from './socket-client.js';

const RELAY = fileURLToPath(new URL('./relay.js', import.meta.url));
/** How many visitors' sessions are opened at the same time while a measurement is prepared. */
const CONCURRENCY = 100;

/** The account of Parley's one team member. */
export const MEMBER = { email: 'ana@example.com', password: 'quiet-otter-paddles' };

/**
 * Starts the relay and Parley, with the same interface: `agent()` connects an agent, who gets every `new_message`; `visitors(n)`
 * creates the credentials of n visitors; `connect(credentials)` connects a visitor; `send(visitor, content)` sends as the
 * visitor, `answer(agent, visitor, content)` as the agent, who has opened the chat with `open`. All resolve with the
 * acknowledgement.
 * @param node options of the Node process @param pinned whether each main thread runs on the first processor, all else on the other
 * @param durable whether the relay writes a visitor's message to the disk before it sends and acknowledges it
 */
export async function startTargets({ node = [], pinned = true, durable = false } = {}) {
  const core = pinned ? onCore : () => [];
  const targets = [await startRelay(node, core, durable), await startProduct(node, core)];
  if (pinned) pinMainThread(targets[1].pid, 0);
  const stop = async () => {
    for (const target of targets) await target.stop();
  };
  return { targets, relay: targets[0], parley: targets[1], stop };
}

/** What both sides do besides a visitor's messages; the same packets for both servers. */
const conversation = {
  answer: (agent, { chatId }, content) => agent.ask('send_message', { chatId, clientId: randomUUID(), content }),
  type: (agent, { chatId }) => agent.ask('typing', { chatId, isTyping: true }),
  staffReceipt: (agent, { chatId }, what, seq) => agent.ask(what, { chatId, seq }),
  visitorReceipt: ({ client, chatId }, what, seq) => client.ask(what, { chatId, seq }),
};

async function startRelay(node, core, durable) {
  const folder = durable ? mkdtempSync(join(tmpdir(), 'parley-relay-')) : undefined;
  const file = folder ? [join(folder, 'messages')] : [];
  const [command, ...args] = [...core(0), process.execPath, ...node, RELAY, ...file];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    name: 'relay',
    pid: child.pid,
    url,
    agent: () => SocketClient.open(url, '/', {}),
    visitors: async (count) => Array.from({ length: count }, () => ({ chatId: randomUUID() })),
    async connect({ chatId }) {
      const client = await SocketClient.open(url, '/visitor', {});
      await client.ask('sync', { chatId });
      return { client, chatId };
    },
    open: async () => {},
    send: ({ client, chatId }, content, clientId = randomUUID()) =>
      client.ask('send_message', { chatId, clientId, content }),
    request: ({ chatId }, content) => ({ path: '/messages', body: { chatId, clientId: randomUUID(), content } }),
    ...conversation,
    async stop() {
      child.kill();
      await exit;
      if (folder) rmSync(folder, { recursive: true });
    },
  };
}

async function startProduct(node, core) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const parley = await startParley(dataDir, { under: core(1), node });
  const form = { name: 'Ana Ruiz', ...MEMBER, confirmPassword: MEMBER.password };
  const { token } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  const url = parley.url.replace('localhost', '127.0.0.1');
  const session = () => parley.call(`POST /widget/${site.widgetCode}/session`, { body: {} });
  return {
    name: 'Parley',
    pid: parley.pid,
    url,
    dataDir,
    call: parley.call,
    agent: () => SocketClient.open(url, '/', { token }),
    async visitors(count) {
      const all = [];
      while (all.length < count)
        all.push(...(await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count - all.length) }, session))));
      return all;
    },
    async connect({ visitorToken }) {
      const client = await SocketClient.open(url, '/visitor', { visitorToken });
      await client.ask('sync', {});
      return { client, visitorToken, chatId: undefined };
    },
    open: (agent, { chatId }) => agent.ask('open_chat', { chatId }),
    async send(visitor, content, clientId = randomUUID()) {
      const answer = await visitor.client.ask('send_message', { clientId, content });
      visitor.chatId = answer.message.chatId;
      return answer;
    },
    request: ({ visitorToken }, content) => ({
      path: `/api/widget/${site.widgetCode}/messages`,
      headers: { Authorization: `Bearer ${visitorToken}`, Origin: 'https://shop.example.com' },
      body: { clientId: randomUUID(), content },
    }),
    ...conversation,
    async stop() {
      await parley.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
