import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ANSWERED, ASKED, type AssistedSite, assistedSite } from '#test/assistedSite';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { AssistantRun, VisitorSession } from '../../../../contract.ts';
import { ChatModel } from '../../chats/model.ts';
import { assistDays } from '../model/days.ts';
import { AssistantRunModel } from './model.ts';

let standIn: ModelStandIn;
let server: TestServer;
let shop: AssistedSite;
let session: VisitorSession;
let widget: Ear;

beforeAll(async () => {
  standIn = await startStandIn();
  server = await startServer({ model: modelOf(standIn), publicUrl: 'https://chat.example.com' });
});
beforeEach(async () => {
  shop = await assistedSite(server.api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', name: 'Robo', rev: 0 });
  session = await shop.visit();
  widget = await connectVisitor(server.url, session.visitorToken);
});
afterEach(() => {
  hangUp();
  standIn.release(1_000);
  standIn.use();
  standIn.requests.length = 0;
});
afterAll(async () => {
  await server.stop();
  await standIn.stop();
});

const runsOf = async (id: string): Promise<AssistantRun[]> =>
  (await shop.as(`GET /chats/${id}/assistant`)).body.data.runs;
const handedOver = (id: string) =>
  until(async () => {
    const { assistant } = await shop.chat(id);
    return assistant?.active === false && assistant.reason;
  });
const figures = async () => {
  const [day] = await assistDays(shop.site._id, '2000-01-01', '2100-01-01');
  const { _id, site, day: _day, tokens, ...counted } = day ?? ({} as Partial<typeof day> & object);
  return { ...counted, hasTokens: (tokens ?? 0) > 0 };
};
/** Asks, and waits until the answer is about to be said. */
async function askGated(): Promise<string> {
  standIn.use('quote', 'gated');
  const id = await shop.ask(session);
  await until(async () => standIn.waits() === 1);
  return id;
}

test('a question gets its answer in sentences, and then as a message with its sources', async () => {
  const id = await shop.ask(session);
  const [, answer] = await shop.said(id, 2);
  expect(answer).toMatchObject({ sender: 'assistant', senderName: 'Robo', content: ANSWERED, seq: 2 });
  expect(answer?.sources).toEqual([
    { title: 'Returns and refunds', article: shop.article, lang: 'en', url: expect.stringContaining('https://') },
  ]);
  const text = await until(async () => widget.heard('assistant_text')[0]);
  expect(text).toEqual({ chatId: id, run: expect.any(String), upTo: ANSWERED.length, text: ANSWERED });
  const told = await until(
    async () => widget.heard('assistant_changed').length === 2 && widget.heard('assistant_changed'),
  );
  expect(told).toEqual([
    { chatId: id, assistant: { name: 'Robo', run: text.run } },
    { chatId: id, assistant: { name: 'Robo' } },
  ]);
  expect(widget.heard('new_message').at(-1).message).toMatchObject({ content: ANSWERED, sender: 'assistant' });
  const [run] = await until(async () => (await runsOf(id)).length === 1 && runsOf(id));
  expect(run).toMatchObject({ _id: text.run, chatId: id, outcome: 'answered', question: ASKED, answer: ANSWERED });
  expect(await shop.chat(id)).toMatchObject({
    status: 'waiting',
    waitingSince: null,
    assistant: { active: true, answers: 1 },
  });
  expect((await ChatModel.findById(id).lean())?.assistant).not.toHaveProperty('run');
  expect(await figures()).toEqual({ answered: 1, hasTokens: true });
});

test('what does not help twice, or is asked a seventh time, goes to a person', async () => {
  const id = await shop.ask(session);
  await shop.said(id, 2);
  const helped = (seq: number, yes: boolean) => widget.ask('answer_helped', { chatId: id, seq, helped: yes });
  await helped(2, true);
  await helped(2, false);
  for (const seq of [4, 6]) {
    await shop.ask(session);
    await shop.said(id, seq);
    expect(await helped(seq, false)).toEqual({ ok: true });
  }
  expect(await handedOver(id)).toBe('unhelpful');
  const thread = await shop.said(id, 7);
  expect(await shop.chat(id)).toMatchObject({ waitingSince: thread[4]?.timestamp });
  await until(async () => (await figures()).handedOver !== undefined);
  expect(await figures()).toMatchObject({ answered: 3, helped: 1, notHelped: 2, handedOver: { unhelpful: 1 } });

  const other = await shop.visit();
  const long = await shop.ask(other);
  for (let answers = 1; answers <= 6; answers++) {
    await shop.said(long, 2 * answers);
    await shop.ask(other);
  }
  expect(await handedOver(long)).toBe('answers');
});

test.each([
  ['person', 'person'],
  ['none', 'unsourced'],
  ['price', 'unsourced'],
  ['500', 'failed'],
  ['cut', 'failed'],
])('with a model that says %s, a person takes over: %s', async (script, reason) => {
  standIn.use(script);
  const id = await shop.ask(session);
  expect(await handedOver(id)).toBe(reason);
  const [question, over] = await shop.said(id, 2);
  expect(over).toMatchObject({ event: 'handed_over', sender: 'system' });
  expect((await shop.chat(id)).waitingSince).toBe(question?.timestamp);
  const [run] = await until(async () => (await runsOf(id)).length === 1 && runsOf(id));
  expect(run).toMatchObject({ outcome: 'handedOver', reason });
});

test('a tapped button that leads to a question waits for the next one, and both are what is asked', async () => {
  const next = { id: 'aaaa0002', label: ASKED, target: { kind: 'chat' } };
  const first = { id: 'aaaa0001', label: 'Lanterns', target: { kind: 'question', question: 'What?', buttons: [next] } };
  const translations = { de: { buttons: { aaaa0001: { label: 'Laternen' } } } };
  await shop.as(`PATCH /sites/${shop.site._id}`, { settings: { buttons: [first], translations } });
  const tap = (content: string) => widget.ask('send_message', { clientId: randomUUID(), content });
  await tap('Laternen');
  const id = await shop.ask(session);
  const thread = await shop.said(id, 3);
  expect(thread.map(({ sender }) => sender)).toEqual(['visitor', 'visitor', 'assistant']);
  const [run] = await until(async () => (await runsOf(id)).length === 1 && runsOf(id));
  expect(run?.question).toBe(`Laternen\n${ASKED}`);
});

test('more of the visitor while an answer is made is part of the question', async () => {
  const id = await askGated();
  standIn.use('quote');
  await widget.ask('send_message', { clientId: randomUUID(), content: 'I mean lamps.' });
  const thread = await shop.said(id, 3);
  expect(thread.map(({ sender }) => sender)).toEqual(['visitor', 'visitor', 'assistant']);
  const [run] = await until(async () => (await runsOf(id)).length === 1 && runsOf(id));
  expect(run?.question).toBe(`${ASKED}\nI mean lamps.`);
});

test('a question that is corrected is asked anew, and one that is deleted is not answered', async () => {
  const id = await askGated();
  const [question] = await shop.thread(id);
  standIn.use('quote', 'gated');
  const which = { chatId: id, messageId: question?._id };
  await widget.ask('edit_message', { ...which, content: `${ASKED} Please` });
  await until(async () => JSON.stringify(standIn.requests.at(-1)?.body).includes('Please') && standIn.waits() > 0);
  await widget.ask('delete_message', which);
  await until(async () => (await ChatModel.findById(id).lean())?.assistant?.run === undefined);
  standIn.release(10);
  expect(await shop.thread(id)).toHaveLength(1);
  standIn.use('quote');
  await shop.ask(session);
  expect((await shop.said(id, 3)).at(-1)).toMatchObject({ content: ANSWERED, seq: 3 });
});

test('the button ends an answer in the middle, and so does whatever ends the chat or the person', async () => {
  const ends: [name: string, (id: string) => Promise<unknown>][] = [
    ['asked', (id) => widget.ask('want_person', { chatId: id })],
    ['closed', (id) => widget.ask('close_chat', { chatId: id })],
    ['blocked', () => shop.as(`POST /visitors/${session.visitor._id}/block`)],
    ['erased', () => shop.as(`DELETE /visitors/${session.visitor._id}`)],
  ];
  for (const [, end] of ends) {
    session = await shop.visit();
    widget = await connectVisitor(server.url, session.visitorToken);
    const id = await askGated();
    await end(id);
    await until(async () => standIn.requests.at(-1)?.closed);
    standIn.release(10);
    const left = (await shop.as(`GET /chats/${id}/messages`)).body.data?.messages ?? [];
    expect(left.filter(({ sender }: { sender: string }) => sender === 'assistant')).toEqual([]);
    expect(await AssistantRunModel.countDocuments({ chat: id })).toBe(0);
  }
});

test('an erased visitor is in no run', async () => {
  const id = await shop.ask(session);
  await until(async () => (await runsOf(id)).length === 1);
  await shop.as(`DELETE /visitors/${session.visitor._id}`);
  await until(async () => (await AssistantRunModel.countDocuments({ chat: id })) === 0);
});

test('a member who begins to write ends an answer', async () => {
  standIn.use('quote', 'gated');
  const id = await shop.ask(await shop.visit());
  await until(async () => standIn.waits() > 0);
  const desk = await connectStaff(server.url, shop.owner.token);
  expect(await desk.ask('typing', { chatId: id, isTyping: true })).toMatchObject({ ok: true });
  expect((await shop.said(id, 2)).map(({ sender, event }) => event ?? sender)).toEqual(['visitor', 'handed_over']);
  await until(async () => standIn.requests.at(-1)?.closed);
  standIn.release(3);
});

test('a member who answers in the same instant always wins', { timeout: 240_000 }, async () => {
  const desk = await connectStaff(server.url, shop.owner.token);
  const orders = new Set<string>();
  for (let round = 0; round < 200; round++) {
    session = await shop.visit();
    const id = await askGated();
    const answer = { chatId: id, clientId: randomUUID(), content: 'It is on its way.' };
    const sent =
      round % 2 === 0
        ? desk.ask('send_message', answer)
        : shop.as(`POST /chats/${id}/claim`).then(() => desk.ask('send_message', answer));
    standIn.release(round % 3 === 0 ? 3 : 2);
    expect(await sent).toMatchObject({ ok: true });
    standIn.release(3);
    const said = (await shop.said(id, 3)).map(({ sender, event }) => event ?? sender);
    orders.add(said.join(' '));
    // What the assistant says stands before people take over, or nowhere.
    expect(['visitor handed_over agent', 'visitor assistant handed_over agent']).toContain(said.join(' '));
  }
  expect(orders).toContain('visitor handed_over agent');
});
