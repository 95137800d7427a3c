import { randomUUID } from 'node:crypto';
import type { Site } from 'server/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedProblems } from './delivery/derived.ts';
import { welcomeNewcomers } from './delivery/newcomers.ts';
import { apiOf } from './harness/api.ts';
import { inDatabase } from './harness/database.ts';
import { type Parley, startParley } from './harness/parley.ts';

const ROUNDS = 5;
const WRITERS = 8;
const ACKS_BEFORE_KILL = 60;
/** Visitors who begin a chat at the same time. */
const NEWCOMERS = 3;
/** Two rounds of the reconciler, on a busy machine. */
const REPAIRED_TIMEOUT_MS = 120_000;
/** Mails are to be sent, and no mail server answers. */
const UNREACHABLE_MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://localhost' };
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A message that is kept with its id until the server has acknowledged it, as in any client. */
interface Pending {
  clientId: string;
  content: string;
}

/** A person who writes into one chat, one message after the other. */
interface Writer {
  chatId: string;
  acked: Map<string, number>;
  pending: Pending[];
  send(message: Pending): Promise<Response>;
}

let parley: Parley;
let token: string;
let site: Site;
let widgetCode: string;

beforeAll(async () => {
  parley = await startParley({ env: UNREACHABLE_MAIL });
  const password = 'quiet-otter-paddles';
  const form = { name: 'Ana', email: 'ana@example.com', password, confirmPassword: password };
  token = (await call('POST', '/auth/register', form)).token;
  const settings = { autoAssign: false };
  site = (await call('POST', '/sites', { name: 'Shop', domain: 'shop.example.com', settings })).site;
  widgetCode = site.widgetCode;
});
afterAll(() => parley.stop());

/** The parts of the answers that this test looks at. */
interface Answers {
  token: string;
  visitorToken: string;
  site: Site;
  chat: { _id: string; lastSeq: number };
  messages: { seq: number; clientId: string }[];
  more: boolean;
}

async function call(method: string, path: string, body?: object, bearer = token): Promise<Answers> {
  const response = await post(method, path, body, bearer);
  return ((await response.json()) as { data: Answers }).data;
}

function post(method: string, path: string, body: object | undefined, bearer: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': BROWSER, Authorization: `Bearer ${bearer}` };
  return fetch(`${parley.origin}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

/** Visitors with a chat each; in every second chat an agent writes, too. */
async function startWriters(): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let i = 0; i < WRITERS / 2; i++) {
    const { visitorToken } = await call('POST', `/widget/${widgetCode}/session`, {});
    const first = { clientId: randomUUID(), content: 'Hello' };
    const messages = `/widget/${widgetCode}/messages`;
    const { chat } = await call('POST', messages, first, visitorToken);
    const made = { chatId: chat._id, pending: [] };
    writers.push(
      { ...made, acked: new Map([[first.clientId, 1]]), send: (m) => post('POST', messages, m, visitorToken) },
      { ...made, acked: new Map(), pending: [], send: (m) => post('POST', `/chats/${chat._id}/messages`, m, token) },
    );
  }
  return writers;
}

/** Sends pending messages, then new ones, until the connection fails or `enough` returns true. */
async function write(writer: Writer, enough: () => boolean): Promise<void> {
  while (writer.pending.length > 0 || !enough()) {
    const message = writer.pending[0] ?? { clientId: randomUUID(), content: `Text ${randomUUID()}` };
    writer.pending = [message];
    const response = await writer.send(message).catch(() => null);
    if (!response?.ok) return;
    const answer = (await response.json().catch(() => null)) as { data: { message: { seq: number } } } | null;
    if (!answer) return;
    writer.acked.set(message.clientId, answer.data.message.seq);
    writer.pending = [];
  }
}

async function wholeThread(chatId: string) {
  const thread: { seq: number; clientId: string }[] = [];
  for (let more = true; more; ) {
    const page = await call('GET', `/chats/${chatId}/messages?limit=100&after=${thread.at(-1)?.seq ?? 0}`);
    thread.push(...page.messages);
    more = page.more;
  }
  return thread;
}

test(`kill -9 in a burst of messages, ${ROUNDS} times: no acknowledged message is lost or duplicated`, async () => {
  const writers = await startWriters();
  for (let round = 1; round <= ROUNDS; round++) {
    const acks = () => writers.reduce((sum, { acked }) => sum + acked.size, 0);
    const goal = acks() + ACKS_BEFORE_KILL;
    let killed: Promise<void> | undefined;
    const until = () => {
      if (acks() >= goal) killed ??= parley.kill9();
      return false;
    };
    const shop = { api: apiOf(parley.origin), site, token };
    const newcomers = Array.from({ length: NEWCOMERS }, (_, i) => welcomeNewcomers(shop, round + i));
    await Promise.all([...newcomers, ...writers.map((writer) => write(writer, until))]);
    await killed;
    await parley.restart();
    expect(writers.some(({ pending }) => pending.length > 0)).toBe(true);
    await Promise.all(writers.map((writer) => write(writer, () => true)));
  }

  for (const chatId of new Set(writers.map((writer) => writer.chatId))) {
    const thread = await wholeThread(chatId);
    expect(thread.map(({ seq }) => seq)).toEqual(thread.map((_, i) => i + 1));
    const stored = new Map(thread.map(({ clientId, seq }) => [clientId, seq]));
    expect(stored.size).toBe(thread.length);
    const acked = writers.filter((writer) => writer.chatId === chatId).flatMap((writer) => [...writer.acked]);
    expect([...stored].sort()).toEqual(acked.sort());
    await expect.poll(async () => (await call('GET', `/chats/${chatId}`)).chat.lastSeq).toBe(thread.length);
  }
});

test('and everything made from the messages agrees with them: rows, search, figures and notices', async () => {
  const problems = () => inDatabase({ parley }, (db) => derivedProblems(db, { hasMail: true }));
  await expect.poll(problems, { timeout: REPAIRED_TIMEOUT_MS, interval: 500 }).toEqual([]);
});
