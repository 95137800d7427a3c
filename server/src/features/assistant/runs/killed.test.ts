import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERED, type AssistedSite, assistedSite, peopleOf } from '#test/assistedSite';
import { until } from '#test/factories';
import { startServer } from '#test/harness';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { startNode, type TestNode } from '#test/nodes';
import { builtWorker } from '#test/workers';
import { startRelay } from '../../../../../scripts/cluster/relay.js';
import { startStore } from '../../../store/index.ts';
import { ChatModel } from '../../chats/model.ts';

const KILL_MS = 180_000;
/** Longer than any run takes. */
const LATER_MS = 70_000;
const SECRETS = { jwtSecret: 'a secret of this test, long enough', dataKey: 'another secret of this test, of 32' };
const OFTEN = { beatEveryMs: 200, reconcileEveryMs: 200 };

let standIn: ModelStandIn;
let store: Awaited<ReturnType<typeof startStore>>;
let relay: Awaited<ReturnType<typeof startRelay>>;
let dataDir: string;
let shop: AssistedSite;
let node: TestNode;
/** What the node is killed at: on its way to the store, or when the store answers it. */
let wanted: { text: Buffer; isForwarded: boolean } | null = null;
let killed: Promise<void> | undefined;

const kill = () => {
  killed ??= node.kill();
};

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-run-'));
  store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  standIn = await startStandIn();
  let answering: Socket | null = null;
  relay = await startRelay(
    () => ({ path: decodeURIComponent(new URL(store.uri).host) }),
    (bytes, from, to) => {
      if (killed || from === answering) {
        kill();
        return false;
      }
      if (!wanted || !bytes.includes(wanted.text)) return true;
      answering = wanted.isForwarded ? to : null;
      if (!wanted.isForwarded) kill();
      const { isForwarded } = wanted;
      wanted = null;
      return isForwarded;
    },
  );
  const first = await startServer({ ...SECRETS, mongodbUri: store.uri, model: modelOf(standIn) }, OFTEN);
  shop = await assistedSite(first.api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', rev: 0 });
  await first.stop();
});
afterAll(async () => {
  await relay.stop();
  await store.stop();
  await standIn.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const at = (text: string, isForwarded = false) => {
  wanted = { text: Buffer.from(text, 'latin1'), isForwarded };
};
const INSERT = '\x02insert\0\x09\0\0\0messages\0';

test.each<[step: string, scripts: string[], before: () => void, during: () => Promise<void> | void]>([
  ['before the run is stored', ['quote'], () => at('assistant.run\0'), () => {}],
  ['when the run is stored', ['quote'], () => at('assistant.run\0', true), () => {}],
  [
    'while the model chooses words',
    ['silence'],
    () => {},
    () => until(async () => standIn.requests.length > 0).then(kill),
  ],
  ['while passages are looked for', ['quote'], () => at('articleTexts\0'), () => {}],
  ['before the first word', ['quote', 'gated'], () => {}, () => until(async () => standIn.waits() > 0).then(kill)],
  [
    'in the middle of the answer',
    ['quote', 'stuck'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      standIn.release();
      await until(async () => standIn.waits() > 0);
      kill();
    },
  ],
  [
    'before the answer is stored',
    ['quote', 'gated'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      at(INSERT);
      standIn.release(3);
    },
  ],
  [
    'when the answer is stored, and nothing knows of it',
    ['quote', 'gated'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      at(INSERT, true);
      standIn.release(3);
    },
  ],
])(
  'a process that is killed %s leaves no half answer, and no chat that nobody has',
  { timeout: KILL_MS },
  async (step, scripts, before, during) => {
    killed = undefined;
    // Lets go of what waits for processes that are gone.
    standIn.release(100);
    standIn.use(...scripts);
    standIn.requests.length = 0;
    const mongodbUri = `mongodb://127.0.0.1:${relay.port}/parley?directConnection=true`;
    node = await startNode({ ...SECRETS, mongodbUri, model: modelOf(standIn) }, OFTEN);
    const there = peopleOf(node.api, shop.site, shop.owner);
    const session = await there.visit();
    before();
    // The answer to the visitor may be lost with the process.
    const asked = there.ask(session).catch(() => null);
    await during();
    await until(async () => killed !== undefined);
    await killed;
    await asked;
    wanted = null;

    const again = await startServer({ ...SECRETS, mongodbUri: store.uri, model: modelOf(standIn) }, OFTEN, LATER_MS);
    const here = peopleOf(again.api, shop.site, shop.owner);
    const isAnswered = step.startsWith('when the answer');
    const { _id } = await ChatModel.findOne({ visitor: session.visitor._id }).orFail().lean();
    const thread = await here.said(_id.toHexString(), 2);
    expect(thread.map(({ sender, event }) => event ?? sender)).toEqual([
      'visitor',
      isAnswered ? 'assistant' : 'handed_over',
    ]);
    if (isAnswered) expect(thread[1]?.content).toBe(ANSWERED);
    const chat = await until(async () => {
      const now = await here.chat(_id.toHexString());
      return now.lastSeq === 2 && now;
    });
    expect(chat.assistant).toEqual(
      isAnswered ? { active: true, answers: 1 } : { active: false, answers: 0, reason: 'restart' },
    );
    expect(chat.waitingSince).toBe(isAnswered ? null : thread[0]?.timestamp);
    expect((await ChatModel.findById(_id).lean())?.assistant?.run).toBeUndefined();
    await again.stop();
  },
);
