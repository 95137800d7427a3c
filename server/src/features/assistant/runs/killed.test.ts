import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERED, type AssistedSite, assistedSite, peopleOf } from '#test/assistedSite';
import { until } from '#test/factories';
import { type SurvivingStore, startSurvivingStore } from '#test/killedNode';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { ChatModel } from '../../chats/model.ts';

const KILL_MS = 180_000;
/** Longer than any run takes. */
const LATER_MS = 70_000;

let standIn: ModelStandIn;
let store: SurvivingStore;
let shop: AssistedSite;

beforeAll(async () => {
  standIn = await startStandIn();
  store = await startSurvivingStore({ model: modelOf(standIn) }, { beatEveryMs: 200, reconcileEveryMs: 200 });
  const first = await store.serve();
  shop = await assistedSite(first.api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', rev: 0 });
  await first.stop();
});
afterAll(async () => {
  await store.stop();
  await standIn.stop();
});

const INSERT = '\x02insert\0\x09\0\0\0messages\0';

test.each<[step: string, scripts: string[], before: () => void, during: () => Promise<void> | void]>([
  ['before the run is stored', ['quote'], () => store.killAt('assistant.run\0'), () => {}],
  ['when the run is stored', ['quote'], () => store.killAt('assistant.run\0', true), () => {}],
  [
    'while the model chooses words',
    ['silence'],
    () => {},
    () => until(async () => standIn.requests.length > 0).then(store.kill),
  ],
  ['while passages are looked for', ['quote'], () => store.killAt('articleTexts\0'), () => {}],
  [
    'before the first word',
    ['quote', 'gated'],
    () => {},
    () => until(async () => standIn.waits() > 0).then(store.kill),
  ],
  [
    'in the middle of the answer',
    ['quote', 'stuck'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      standIn.release();
      await until(async () => standIn.waits() > 0);
      store.kill();
    },
  ],
  [
    'before the answer is stored',
    ['quote', 'gated'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      store.killAt(INSERT);
      standIn.release(3);
    },
  ],
  [
    'when the answer is stored, and nothing knows of it',
    ['quote', 'gated'],
    () => {},
    async () => {
      await until(async () => standIn.waits() > 0);
      store.killAt(INSERT, true);
      standIn.release(3);
    },
  ],
])(
  'a process that is killed %s leaves no half answer, and no chat that nobody has',
  { timeout: KILL_MS },
  async (step, scripts, before, during) => {
    // Lets go of what waits for processes that are gone.
    standIn.release(100);
    standIn.use(...scripts);
    standIn.requests.length = 0;
    const node = await store.startNode();
    const there = peopleOf(node.api, shop.site, shop.owner);
    const session = await there.visit();
    before();
    // The answer to the visitor may be lost with the process.
    const asked = there.ask(session).catch(() => null);
    await during();
    await store.killed();
    await asked;

    const again = await store.serve(LATER_MS);
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
