import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ANSWERED, type AssistedSite, assistedSite, peopleOf } from '#test/assistedSite';
import { until } from '#test/factories';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { startCluster, type TestCluster } from '#test/nodes';
import { connectVisitor, hangUp } from '#test/sockets';

const START_MS = 120_000;
let standIn: ModelStandIn;
let cluster: TestCluster;
let shop: AssistedSite;

beforeAll(async () => {
  standIn = await startStandIn();
  cluster = await startCluster(2, { model: modelOf(standIn) });
  shop = await assistedSite(first().api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', rev: 0 });
}, START_MS);
afterEach(() => {
  hangUp();
  standIn.release(100);
  standIn.use();
});
afterAll(async () => {
  await cluster.stop();
  await standIn.stop();
});

const nodeAt = (at: number) => cluster.nodes[at] ?? expect.fail('there is no such node');
const first = () => nodeAt(0);
const second = () => nodeAt(1);
const there = () => peopleOf(second().api, shop.site, shop.owner);

test('a visitor on one node hears what the assistant says on the other', async () => {
  const session = await shop.visit();
  const widget = await connectVisitor(second().url, session.visitorToken);
  standIn.use('quote', 'gated');
  const id = await shop.ask(session);
  await until(async () => standIn.waits() > 0);
  await until(async () => widget.heard('assistant_changed').length > 0);
  standIn.release(3);
  await until(async () => widget.heard('new_message').some(({ message }) => message.content === ANSWERED));
  expect(widget.heard('assistant_text')).toMatchObject([{ chatId: id, text: ANSWERED }]);
  expect(await there().said(id, 2)).toHaveLength(2);
});

test('what a member or the visitor does on one node comes before the answer of the other', async () => {
  const acts = [
    (id: string) => there().as(`POST /chats/${id}/claim`),
    (id: string) => there().as(`POST /chats/${id}/messages`, { content: 'It is on its way.' }),
  ];
  for (const act of acts) {
    standIn.use('quote', 'gated');
    const id = await shop.ask(await shop.visit());
    await until(async () => standIn.waits() > 0);
    await act(id);
    // The model may stop: nobody waits for what it says.
    await until(async () => standIn.requests.at(-1)?.closed);
    standIn.release(3);
    const said = await there().said(id, 2);
    expect(said.map(({ sender, event }) => event ?? sender).slice(0, 2)).toEqual(['visitor', 'handed_over']);
    expect(said.some(({ sender }) => sender === 'assistant')).toBe(false);
  }
  const session = await shop.visit();
  standIn.use('quote', 'gated');
  const id = await shop.ask(session);
  await until(async () => standIn.waits() > 0);
  standIn.use('quote');
  await there().ask(session, 'I mean lamps.');
  expect((await there().said(id, 3)).map(({ sender }) => sender)).toEqual(['visitor', 'visitor', 'assistant']);
});
