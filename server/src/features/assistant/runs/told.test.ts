import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ANSWERED, ASKED, type AssistedSite, assistedSite } from '#test/assistedSite';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, PUBLIC_URL, startMailbox } from '#test/mailbox';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { type Receiver, startReceiver } from '#test/receivers';
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookPayload } from '../../../../contract.ts';
import { type SiteDoc, SiteModel } from '../../sites/model.ts';
import { createModel } from '../model/model.ts';
import { createAnswerer } from './answering.ts';

let standIn: ModelStandIn;
let receiver: Receiver;
let box: Mailbox;
let server: TestServer;
let shop: AssistedSite;
let hooks = 0;

beforeAll(async () => {
  [standIn, receiver, box] = [await startStandIn(), await startReceiver(), await startMailbox()];
  server = await startServer({ ...mailingInto(box), model: modelOf(standIn) }, { webhookAgent: receiver.agent });
});
beforeEach(async () => {
  shop = await assistedSite(server.api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', name: 'Robo', rev: 0 });
});
afterEach(() => {
  standIn.release(100);
  standIn.use();
});
afterAll(async () => {
  await server.stop();
  await Promise.all([standIn.stop(), receiver.stop(), box.stop()]);
});

async function hook(events: readonly WebhookEvent[]): Promise<() => WebhookPayload[]> {
  const path = `/runs/${++hooks}`;
  await shop.as(`POST /sites/${shop.site._id}/webhooks`, { url: receiver.url(path), events });
  return () => [
    ...new Map(receiver.received(path).map(({ headers, payload }) => [headers['webhook-id'], payload])).values(),
  ];
}

test('a copy of the chat has what the assistant wrote, and says who that is', async () => {
  const session = await shop.visit();
  const chatId = await shop.ask(session);
  await shop.said(chatId, 2);
  await until(async () => (await shop.chat(chatId)).assistant?.answers === 1);
  const body = { chatId, email: 'vera@example.com' };
  const path = `POST /widget/${shop.site.widgetCode}/transcript`;
  expect((await server.api(path, { token: session.visitorToken, body })).status).toBe(200);
  const copy = await until(async () => box.mails.find(({ to }) => to?.[0]?.address === body.email));
  expect(copy.text).toMatch(/Robo, automatic assistant, .* UTC:\n> You can return items within 30 days/);
});

test('programs are told of answers and hand-overs, in their order', async () => {
  const all = await hook(WEBHOOK_EVENTS.filter((event) => event !== 'visitor.identified'));
  const own = await hook(['assistant.answered', 'assistant.handed_over']);
  const session = await shop.visit();
  const id = await shop.ask(session);
  await shop.said(id, 2);
  await shop.as(`POST /chats/${id}/assistant`, { on: false });
  const told = await until(async () => all().length === 5 && all());
  expect(told.map(({ type }) => type)).toEqual([
    'chat.opened',
    'message.created',
    'message.created',
    'assistant.answered',
    'assistant.handed_over',
  ]);
  const [answered, over] = await until(async () => own().length === 2 && own());
  expect(answered?.data).toMatchObject({
    chat: { _id: id },
    message: { sender: 'assistant', senderName: 'Robo', content: ANSWERED },
    sources: [
      { article: shop.article, title: 'Returns and refunds', lang: 'en', url: expect.stringContaining(PUBLIC_URL) },
    ],
  });
  expect(over?.data).toMatchObject({ chat: { _id: id }, reason: 'agent' });
  expect(over?.data).not.toHaveProperty('message');
});

test('a widget without a WebSocket hears the answer, and asks for a person', async () => {
  const { visitorToken } = await shop.visit();
  const call = async (path: string, body: object) =>
    (await server.api(`POST /widget/${shop.site.widgetCode}/${path}`, { token: visitorToken, body })).body.data;
  standIn.use('quote', 'gated');
  const { chat } = await call('messages', { clientId: crypto.randomUUID(), content: ASKED });
  await until(async () => standIn.waits() > 0);
  const state = await call('requests', { event: 'sync', ask: {} });
  expect(state.chat.assistant).toEqual({ name: 'Robo', run: expect.any(String) });
  let { at } = await call('poll', {});
  const heard: [string, { text?: string; message?: object }][] = [];
  standIn.release(3);
  while (!heard.some(([name]) => name === 'new_message')) {
    const poll = await call('poll', { at });
    heard.push(...poll.events);
    if (poll.missed) break;
    at = poll.at;
  }
  const texts = heard.filter(([name]) => name === 'assistant_text');
  for (const [, { text }] of texts) expect(text).toBe(ANSWERED);
  expect((await shop.said(chat._id, 2))[1]).toMatchObject({ content: ANSWERED });
  const helped = { event: 'answer_helped', ask: { chatId: chat._id, seq: 2, helped: true } };
  expect(await call('requests', helped)).toEqual({});
  const person = await call('requests', { event: 'want_person', ask: { chatId: chat._id } });
  expect(person.chat).not.toHaveProperty('assistant');
  expect((await shop.said(chat._id, 3))[2]).toMatchObject({ event: 'handed_over' });
});

test('the budget of a site is kept to the token, and the rest of the day belongs to people', async () => {
  const first = await shop.ask(await shop.visit());
  const run = async () => (await shop.as(`GET /chats/${first}/assistant`)).body.data.runs[0];
  const { tokens } = await until(run);
  const path = `/sites/${shop.site._id}/assistant`;
  await shop.as(`PATCH ${path}`, { tokensPerDay: tokens, rev: 1 });
  const requests = standIn.requests.length;
  const id = await shop.ask(await shop.visit());
  await until(async () => (await shop.chat(id)).assistant?.reason === 'budget');
  expect(standIn.requests).toHaveLength(requests);
});

test('the budget of the server is kept to the token by questions that come together', async () => {
  const max = 4_000;
  const model = createModel({ ...modelOf(standIn), tokensPerDay: max }, () => Date.parse('2031-01-01T10:00:00Z'));
  const site = await SiteModel.findById(shop.site._id).orFail().lean<SiteDoc>();
  const answer = createAnswerer({ model, publicUrl: null, now: Date.now });
  const asked = Array.from({ length: 8 }, () => answer({ site, question: ASKED, history: [], lang: 'en' }));
  const outcomes = await Promise.all(asked);
  expect(new Set(outcomes.map(({ reason }) => reason ?? 'answered'))).toEqual(new Set(['answered', 'budget']));
  const { spent } = await model.today();
  expect(spent).toBe(outcomes.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(spent).toBeLessThanOrEqual(max);
});
