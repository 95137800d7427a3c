import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import { lastPrompt, type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import type { DraftBody, DraftEvent, Site } from '../../../../contract.ts';
import { AssistDayModel } from '../model/days.ts';

const RETURNS = 'You can send everything back within thirty days.';
const TOKENS_PER_DAY = 1_000_000;

let server: TestServer;
let standIn: ModelStandIn;
let owner: Account;
let site: Site;
let chat: string;

beforeAll(async () => {
  standIn = await startStandIn();
  server = await startServer({ model: modelOf(standIn, { tokensPerDay: TOKENS_PER_DAY }) });
  owner = await signUp(server.api);
  site = await suggestingSite();
  await openHelpCenter(site);
  await publish(site, { en: { title: 'Sending things back', text: `${RETURNS} We pay the postage.` } });
  chat = (await newChat(server.api, site, owner.token, 'How do I send something back?'))._id;
});
afterEach(() => {
  standIn.use();
  standIn.requests.length = 0;
});
afterAll(async () => {
  await server.stop();
  await standIn.stop();
});

async function suggestingSite(): Promise<Site> {
  const made = await createSite(server.api, owner.token);
  await server.api(`PATCH /sites/${made._id}/assistant`, { token: owner.token, body: { step: 'suggest', rev: 0 } });
  return made;
}

/** An answer of the model, event by event. */
async function open(body: Partial<DraftBody> = {}, { id = chat, token = owner.token } = {}) {
  const stop = new AbortController();
  const answer = await fetch(`${server.url}/api/chats/${id}/draft`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ action: 'draft', language: 'en', ...body }),
    signal: stop.signal,
  });
  return { answer, events: eventsOf(answer), stop };
}

async function* eventsOf({ body }: Response): AsyncGenerator<DraftEvent> {
  let rest = '';
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(piece).toString()).split('\n\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}

async function draft(body: Partial<DraftBody> = {}, about = {}) {
  const { answer, events } = await open(body, about);
  let text = '';
  let last: DraftEvent | null = null;
  for await (const event of events) {
    last = event;
    if ('text' in event) text += event.text;
  }
  return { status: answer.status, type: answer.headers.get('content-type'), text, last };
}

test('a draft is made of the conversation and of what the team has published', async () => {
  await server.api('POST /canned-replies', {
    token: owner.token,
    body: { siteId: site._id, shortcut: 'back', content: 'Send it back with the label in the parcel.' },
  });
  const { status, type, text, last } = await draft();
  expect([status, type, last]).toEqual([200, 'text/event-stream; charset=utf-8', { done: true }]);
  expect(text).toBe(RETURNS);
  const prompt = lastPrompt(standIn);
  expect(prompt).toContain('Visitor: How do I send something back?');
  expect(prompt).toContain('[[PASSAGE 1]] Sending things back');
  expect(prompt).toContain('Send it back with the label');
  const [day] = await AssistDayModel.find({ site: site._id }).lean();
  expect(day?.tokens).toBeGreaterThan(100);
});

test('of a chat only what people said last leaves the house, without personal data', async () => {
  const session = await visit(server.api, site, {
    visitor: { name: 'Vera', email: 'vera@example.com' },
    attributes: { plan: 'secret-plan' },
  });
  const id = await say(server.api, site, session, 'the first of all');
  for (let i = 2; i <= 8; i++) await say(server.api, site, session, `message ${i}`);
  await say(server.api, site, session, 'My card is 4111 1111 1111 1111, my number +49 30 901820, v@example.com');
  const asOwner = (call: string, body: object) => server.api(call, { token: owner.token, body });
  await asOwner(`POST /chats/${id}/claim`, {});
  await asOwner(`POST /chats/${id}/notes`, { content: 'a secret note' });
  const { data } = (await asOwner(`POST /chats/${id}/messages`, { content: 'a deleted answer' })).body;
  await server.api(`DELETE /chats/${id}/messages/${data.message._id}`, { token: owner.token });
  await draft({}, { id });
  const prompt = lastPrompt(standIn);
  expect(prompt).toContain('message 8');
  expect(prompt).toContain('•••• 1111, my number [phone number 2], [mail address 1]');
  for (const secret of [
    '4111',
    '901820',
    'v@example.com',
    'vera@example.com',
    'Vera',
    'secret',
    'deleted answer',
    'the first of all',
    'How do I',
  ])
    expect(prompt).not.toContain(secret);
});

test('a text is changed with the personal data in it, which the model does not see', async () => {
  const text = 'Write to help@example.com or call +49 30 901820. Thanks.';
  for (const action of ['shorter', 'friendlier', 'translate'] as const) {
    expect((await draft({ action, text })).text).toBe('Write to help@example.com or call +49 30 901820.');
    expect(lastPrompt(standIn)).toContain('Write to [mail address 1] or call [phone number 2].');
    expect(lastPrompt(standIn)).not.toContain('send something back');
  }
  await draft({ action: 'translate', text, language: 'pt' });
  expect(lastPrompt(standIn)).toContain('Translate the text into Portuguese');
  await draft({ action: 'translate-for-visitor', text });
  expect(lastPrompt(standIn)).toContain('Visitor: How do I send something back?');
  await draft({ action: 'summary', language: 'ar' });
  expect(lastPrompt(standIn)).toMatch(/in Arabic[\s\S]*Visitor: How do I send something back\?/);
  expect((await draft({ action: 'shorter' })).status).toBe(422);
});

test('the answer comes as it is said', async () => {
  standIn.use('gated');
  const { events } = await open({ action: 'shorter', text: 'One.' });
  standIn.release();
  expect((await events.next()).value).toEqual({ text: 'One.' });
  standIn.release(5);
  expect((await events.next()).value).toEqual({ done: true });
});

test('whoever leaves stops the model', async () => {
  standIn.use('gated');
  const { stop } = await open({ action: 'shorter', text: 'One.' });
  await until(async () => standIn.requests.length > 0);
  expect(standIn.requests[0]?.closed).toBe(false);
  stop.abort();
  await until(async () => standIn.requests[0]?.closed);
});

test.each([
  ['401', 'MODEL_REFUSED'],
  ['429', 'MODEL_BUSY'],
  ['500', 'MODEL_FAILED'],
  ['html', 'MODEL_NOTTHEPROTOCOL'],
  ['cut=90', 'MODEL_FAILED'],
  ['fails-midway', 'MODEL_FAILED'],
  ['endless', 'MODEL_TOOMUCH'],
])('%s ends the answer with %s and a sentence', async (script, code) => {
  standIn.use(script);
  const { status, last } = await draft();
  expect(status).toBe(200);
  expect(last).toMatchObject({ failure: { code, message: expect.stringMatching(/\.$/) } });
});

test('without a step for it, or tokens, nobody is asked', async () => {
  const other = await createSite(server.api, owner.token);
  const { _id: id } = await newChat(server.api, other, owner.token);
  expect((await draft({}, { id })).status).toBe(409);
  const body = { step: 'suggest', tokensPerDay: 10, rev: 0 };
  await server.api(`PATCH /sites/${other._id}/assistant`, { token: owner.token, body });
  expect((await draft({}, { id })).last).toMatchObject({ failure: { code: 'BUDGET_SPENT' } });
  expect(standIn.requests).toEqual([]);
});

test('viewers let nobody write, and agents do', async () => {
  const [viewer, agent] = [await signUp(server.api), await signUp(server.api)];
  await join(site, viewer, 'viewer');
  await join(site, agent, 'agent');
  expect((await draft({}, { token: viewer.token })).status).toBe(403);
  expect((await draft({}, { token: agent.token })).text).toBe(RETURNS);
  const { body } = await server.api(`GET /sites/${site._id}/assistant`, { token: agent.token });
  expect(body.data.hasModel).toBe(true);
});

test('a member, and all members of a site together, ask no faster than the limits say', async () => {
  await server.stop();
  const model = modelOf(standIn);
  server = await startServer({ model, rateLimits: true, limits: { draftsPerAccount: 2, draftsPerSite: 3 } });
  owner = await signUp(server.api);
  site = await suggestingSite();
  const { _id: id } = await newChat(server.api, site, owner.token);
  const agent = await signUp(server.api);
  await join(site, agent, 'agent');
  const ask = async ({ token }: Account) => (await draft({ action: 'shorter', text: 'One.' }, { id, token })).status;
  expect([await ask(owner), await ask(owner), await ask(owner)]).toEqual([200, 200, 429]);
  expect([await ask(agent), await ask(agent)]).toEqual([200, 429]);
});

test('a server without a model says so', async () => {
  await server.stop();
  server = await startServer();
  owner = await signUp(server.api);
  site = await suggestingSite();
  const { _id: id } = await newChat(server.api, site, owner.token);
  const { answer } = await open({}, { id, token: owner.token });
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'NO_MODEL' }]);
  const { body } = await server.api(`GET /sites/${site._id}/assistant`, { token: owner.token });
  expect(body.data.hasModel).toBe(false);
});
