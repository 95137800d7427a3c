import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Rule, RuleBody, RulePatch, Site } from '../../../contract.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { RULES_MAX } from './contract.ts';
import { RuleRunModel } from './model.ts';

const MINUTE_MS = 60_000;
const TAGGING: RuleBody = { name: 'New', event: 'opened', actions: [{ do: 'tag', tag: ' VIP  guest ' }] };

let server: TestServer;
let owner: Account;
let agent: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100, rateLimits: true, limits: { ruleRunsPerSite: 2 } });
  [owner, agent] = [await signUp(server.api), await signUp(server.api)];
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
});
afterAll(() => server.stop());

const ask = (call: string, body?: object, token = owner.token) => server.api(call, { token, ...(body && { body }) });
const path = () => `/sites/${site._id}/rules`;
const all = async (): Promise<Rule[]> => (await ask(`GET ${path()}`)).body.data.rules;
const names = async () => (await all()).map(({ name }) => name);
async function add(body: Partial<RuleBody> = {}): Promise<Rule> {
  const { status, body: answer } = await ask(`POST ${path()}`, { ...TAGGING, ...body });
  expect(status).toBe(201);
  return answer.data.rules.at(-1);
}
const change = ({ _id }: Rule, body: Partial<RulePatch>, token?: string) => ask(`PATCH ${path()}/${_id}`, body, token);

test('a rule is added, changed, sorted and deleted by admins; of two changes at once the second one is refused', async () => {
  const rule = await add();
  expect(rule).toEqual({
    _id: expect.any(String),
    name: 'New',
    enabled: true,
    event: 'opened',
    minutes: null,
    conditions: {},
    actions: [{ do: 'tag', tag: 'vip guest' }],
    rev: 1,
  });
  await add({ name: 'Late', event: 'unanswered', minutes: 5, enabled: false });
  const conditions = { words: ['Refund', 'Refund'], hours: 'closed' as const, departments: ['none'] };
  const both = await Promise.all(['A', 'B'].map((name) => change(rule, { name, conditions, rev: 1 })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await all())[0]?.conditions).toEqual({ ...conditions, words: ['Refund'] });
  await ask(`PUT ${path()}`, { ids: [(await all())[1]?._id] });
  expect((await names())[0]).toBe('Late');
  expect((await change(rule, { enabled: false, rev: 2 }, agent.token)).status).toBe(403);
  expect((await ask(`GET ${path()}`, undefined, agent.token)).status).toBe(200);
  expect((await ask(`DELETE ${path()}/${rule._id}`)).body.data.rules).toHaveLength(1);
  expect((await ask(`DELETE ${path()}/${rule._id}`)).status).toBe(404);
});

test.each<[string, object]>([
  ['no minutes for a rule that waits', { event: 'unanswered' }],
  ['words of a rating', { event: 'rated', conditions: { words: ['x'] } }],
  ['a score of a message', { event: 'message', conditions: { score: 2 } }],
  ['no action', { actions: [] }],
  ['an action too many', { actions: Array(6).fill(TAGGING.actions[0]) }],
  ['an unknown action', { actions: [{ do: 'explode' }] }],
  ['no member', { actions: [{ do: 'assign', member: 'me' }] }],
  ['a tag that is too long', { actions: [{ do: 'tag', tag: 'x'.repeat(31) }] }],
  ['too many words', { event: 'message', conditions: { words: Array(21).fill('x') } }],
  ['a language with its country', { conditions: { languages: ['de-AT'] } }],
])('a rule with %s is refused', async (_, wrong) => {
  const { status, body } = await ask(`POST ${path()}`, { ...TAGGING, ...wrong });
  expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
});

test('a site has a limited number of rules, also when many are added at once', async () => {
  for (let n = 1; n < RULES_MAX; n++) await add({ name: `Rule ${n}` });
  const last = await Promise.all(['X', 'Y'].map((name) => ask(`POST ${path()}`, { ...TAGGING, name })));
  expect(last.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(last.find(({ status }) => status === 409)?.body.code).toBe('RULE_LIMIT_REACHED');
});

/** A chat of a new visitor, and how its visitor writes more. */
async function write(content: string, more: object = {}) {
  const session = await visit(server.api, site, more);
  const send = (text: string) =>
    server.api(`POST /widget/${site.widgetCode}/messages`, {
      token: session.visitorToken,
      body: { clientId: randomUUID(), content: text },
    });
  const id: string = (await send(content)).body.data.chat._id;
  await until(async () => (await ask(`GET /chats/${id}`)).body.data.chat.lastSeq > 0);
  return { id, session, send };
}

test('a dry run says to which chats a rule would have applied, and changes nothing', async () => {
  const refund = await write('I want my REFUND');
  const other = await write('Hello');
  await other.send('A ｒｅｆｕｎｄ please');
  const rated = await write('Bye');
  await ask(`POST /chats/${rated.id}/claim`);
  await ask(`POST /chats/${rated.id}/message`, { text: 'Hi' });
  await ask(`POST /chats/${rated.id}/close`);
  const token = rated.session.visitorToken;
  await server.api(`POST /widget/${site.widgetCode}/rating`, { token, body: { chatId: rated.id, score: 2 } });
  // The figures count them meanwhile.
  const stored = () => ChatModel.find({ site: site._id }, { uncounted: 0 }).sort({ _id: 1 }).lean();
  const before = await stored();
  const tried = async (body: Partial<RuleBody>) => {
    const { data } = (await ask(`POST ${path()}/trial`, { ...TAGGING, ...body })).body;
    expect(data.chats).toBe(3);
    return data.matches.map(({ chatId }: { chatId: string }) => chatId).sort();
  };
  const of = (...chats: { id: string }[]) => chats.map(({ id }) => id).sort();
  expect(await tried({ conditions: { words: ['refund'] } })).toEqual(of(refund));
  expect(await tried({ event: 'message', conditions: { words: ['refund'] } })).toEqual(of(refund, other));
  expect(await tried({ event: 'closed' })).toEqual(of(rated));
  expect(await tried({ event: 'rated', conditions: { score: 1 } })).toEqual([]);
  expect(await tried({ event: 'rated', conditions: { score: 2 } })).toEqual(of(rated));
  expect(await tried({ event: 'unanswered', minutes: 1 })).toEqual([]);
  expect(await tried({ conditions: { hours: 'closed' } })).toEqual([]);
  expect(await tried({ conditions: { departments: ['none'] } })).toEqual(of(refund, other, rated));
  expect(await stored()).toEqual(before);
  expect((await ask(`GET ${path()}/runs`)).body.data).toEqual({ runs: [], nextCursor: null });
});

test('a dry run finds the chats whose visitors had no answer for so long', async () => {
  const { id } = await write('Is anybody there?');
  const begun = new Date(Date.now() - 10 * MINUTE_MS);
  await MessageModel.updateMany({ chat: id }, { $set: { createdAt: begun } });
  const tried = async (minutes: number) =>
    (await ask(`POST ${path()}/trial`, { ...TAGGING, event: 'unanswered', minutes })).body.data.matches;
  expect(await tried(11)).toEqual([]);
  const at = new Date(begun.getTime() + 9 * MINUTE_MS).toISOString();
  expect(await tried(9)).toEqual([{ chatId: id, visitorName: null, at }]);
});

test('what rules do in a minute is limited for each site, and what is more waits', async () => {
  await add({ event: 'message' });
  const { id, send } = await write('One');
  await send('Two');
  await send('Three');
  const left = await until(async () => {
    const { runs } = (await ask(`GET ${path()}/runs`)).body.data;
    // Put off, and not under way.
    const later = { chat: id, dueAt: { $gt: new Date(Date.now() + 30_000) }, takes: null };
    return runs.length === 2 && RuleRunModel.findOne(later).lean();
  });
  expect(left).toMatchObject({ attempts: 0, actions: [{ action: { do: 'tag' } }] });
});
