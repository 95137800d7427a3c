import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, say, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { type ReplicaSet, startReplicaSet } from '#test/replicaSet';
import { connectStaff, type Ear, hangUp } from '#test/sockets';
import type { Site, VisitorSession } from '../../../contract.ts';
import { AuditModel } from '../../features/audit/auditLog.ts';
import { MessageModel } from '../../features/chats/messageModel.ts';

const VISITORS = 6;
const ROUNDS = 5;
const ELECTION_MS = 2_000;
const SHORT_ELECTION_MS = 300;

let set: ReplicaSet;
let cluster: TestCluster;
let owner: Account;
let site: Site;
let sessions: VisitorSession[];

beforeAll(async () => {
  set = await startReplicaSet();
  // A secondary lags behind what is acknowledged, whatever the operator thinks of reading there.
  cluster = await startCluster(2, { mongodbUri: `${set.uri}&readPreference=secondaryPreferred` });
  owner = await signUp(node(0).api);
  site = await createSite(node(0).api, owner.token);
  sessions = await Promise.all(Array.from({ length: VISITORS }, () => visit(node(0).api, site)));
});
afterEach(hangUp);
afterAll(async () => {
  await cluster.stop();
  await set.stop();
});

const node = (i: number) => cluster.nodes[i] as TestServer;
const texts = (ear: Ear) => ear.heard('new_message').map(({ message }) => message.content);

async function send(session: VisitorSession, content: string, to = node(0)): Promise<number> {
  const body = { clientId: randomUUID(), content };
  return (await to.api(`POST /widget/${site.widgetCode}/messages`, { token: session.visitorToken, body })).status;
}

/** Every visitor sends one. @returns the answers that are no success */
async function sendAll(content: string): Promise<number[]> {
  const statuses = await Promise.all(sessions.map((session, at) => send(session, content, node(at % 2))));
  return statuses.filter((status) => status !== 201);
}

/** How often each of these texts, which every visitor sent, is stored, and whether a chat's numbers have a gap. */
async function stored(contents: string[]): Promise<{ times: number[]; gaps: number }> {
  const times = contents.map((content) => MessageModel.countDocuments({ content }));
  const chats = new Map<string, number[]>();
  for (const { chat, seq } of await MessageModel.find().sort({ seq: 1 }).lean())
    chats.set(chat.toHexString(), [...(chats.get(chat.toHexString()) ?? []), seq]);
  const gaps = [...chats.values()].filter((seqs) => seqs.some((seq, at) => seq !== at + 1)).length;
  return { times: await Promise.all(times), gaps };
}

test('no secondary is asked, and nothing is lost or doubled through an election of two seconds', async () => {
  const agent = await connectStaff(node(1).url, owner.token);
  await sendAll('Before');
  expect(set.askedOfSecondaries).toEqual([]);
  const contents = Array.from({ length: ROUNDS }, (_, round) => `Round ${round}`);
  for (const [round, content] of contents.entries()) {
    const sent = sendAll(content);
    if (round === 1) set.elect(ELECTION_MS);
    expect(await sent).toEqual([]);
  }
  expect(await stored(contents)).toEqual({ times: contents.map(() => VISITORS), gaps: 0 });
  await until(async () => texts(agent).length >= VISITORS * (ROUNDS + 1));
  expect(texts(agent).toSorted()).toEqual(['Before', ...contents].flatMap((text) => Array(VISITORS).fill(text)));
});

test.each(['half', 'unconfirmed', 'cut'] as const)(
  'a batch is stored and announced once, also if %s',
  async (fault) => {
    const agent = await connectStaff(node(1).url, owner.token);
    set.befall('insert messages', fault, SHORT_ELECTION_MS);
    const contents = [`One ${fault}`, `Two ${fault}`];
    for (const content of contents) expect(await sendAll(content)).toEqual([]);
    expect(set.left).toBe(0);
    expect(await stored(contents)).toEqual({ times: [VISITORS, VISITORS], gaps: 0 });
    await until(async () => texts(agent).length >= 2 * VISITORS);
    expect(texts(agent).toSorted()).toEqual(contents.flatMap((text) => Array(VISITORS).fill(text)));
    const chat = agent.heard('new_message')[0].message.chatId;
    set.befall('insert messages', 'cut');
    expect((await node(0).api(`POST /chats/${chat}/close`, { token: owner.token })).status).toBe(200);
    await until(async () => agent.heard('new_message').some(({ message }) => message.event === 'closed'));
  },
);

test('a write whose answer is lost is not made twice', async () => {
  const session = await visit(node(0).api, site);
  const chat = await say(node(0).api, site, session, 'Who takes this?');
  const { token } = owner;
  set.befall('findAndModify chats', 'cut');
  const claimed = await node(0).api(`POST /chats/${chat}/claim`, { token });
  expect([claimed.status, set.left]).toEqual([200, 0]);
  const { body } = await node(0).api(`GET /chats/${chat}/messages`, { token });
  expect(body.data.messages.filter(({ event }: { event?: string }) => event === 'claimed').length).toBeLessThan(2);
});

test.each(['cut', 'forgotten'] as const)(
  'a sign-out whose answer is lost (%s) is told to everybody, once',
  async (fault) => {
    const body = { email: owner.user.email, password: PASSWORD };
    const { token } = (await node(1).api('POST /auth/login', { body })).body.data;
    const ear = await connectStaff(node(1).url, token);
    const ends = async () => (await AuditModel.findOne({ action: 'session_ended' }).lean())?.times ?? 0;
    const before = await ends();
    set.befall('findAndModify sessions', fault);
    expect((await node(0).api('POST /auth/logout', { token })).status).toBe(200);
    await until(async () => ear.socket.disconnected);
    expect([set.left, await ends()]).toEqual([0, before + 1]);
  },
);
