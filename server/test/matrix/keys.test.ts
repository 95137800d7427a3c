import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { can } from '../../src/features/team/contract.ts';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { createSite } from '../factories.ts';
import { sharedServer, type TestServer } from '../harness.ts';
import { RULES } from './rules.ts';
import { type Accounts, type KeyPerson, makeAccounts, makeKeys, makeWorld, type World } from './world.ts';

const server: TestServer = await sharedServer();
const open = [...catalogue.calls].flatMap(([call, { scope, query = {} }]) => (scope ? [{ call, scope, query }] : []));
/** Calls that answer about all sites of the caller, and what they are asked. */
const LISTS = open.filter(({ call }) => call.startsWith('GET') && 'self' in (RULES[call] ?? {}));
const ASKED: Record<string, string> = { 'GET /search': '?q=hello', 'GET /chats/export': '?format=txt' };

let accounts: Accounts;
let keys: Record<KeyPerson, string>;
/** Two sites of the owner: one API key is for this one only. */
let here: World;
let there: World;

beforeAll(async () => {
  accounts = await makeAccounts(server.api);
  here = await makeWorld(server.api, accounts.owner, { admin: accounts.admin });
  there = await makeWorld(server.api, accounts.owner, { agent: accounts.agent });
  keys = await makeKeys(server.api, accounts, here.site);
  const { chat } = there.ids;
  const byAgent = { token: accounts.agent.token };
  await server.api(`POST /chats/${chat}/messages`, { ...byAgent, body: { content: 'Hello from there' } });
  const mentions = [accounts.owner.user._id];
  await server.api(`POST /chats/${chat}/notes`, { ...byAgent, body: { content: 'For you', mentions } });
  await server.api(`PUT /chats/${chat}/tags`, { ...byAgent, body: { tags: ['only-there'] } });
});
afterAll(() => server.stop());

/** What is answered, as text: some of it is files, and one says when it was made. */
async function ask(call: string, token: string): Promise<string> {
  const path = call.replace('GET ', '') + (ASKED[call] ?? '');
  const answer = await fetch(`${server.url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
  expect([call, answer.status]).toEqual([call, 200]);
  return (await answer.text()).replace(/^Exported.*$/m, '');
}

describe('an API key for some sites', () => {
  test.each(LISTS.map(({ call }) => call))('sees nothing of the others in %s', async (call) => {
    const ofOwner = (text: string) => text.replaceAll('"isOwner":true', '"isOwner":false');
    let told = '';
    // What is counted and searched follows a moment later: until then the owner sees nothing of the other site, either.
    await expect
      .poll(async () => {
        const all = await ask(call, accounts.owner.token);
        told = await ask(call, keys.elsewhereKey);
        // The admin is on this site only, so counts and figures must be the same.
        return { differs: all !== told, told: ofOwner(told), admin: ofOwner(await ask(call, accounts.admin.token)) };
      })
      .toSatisfy(({ differs, told, admin }) => differs && told === admin);
    for (const hidden of [...Object.values(there.ids), 'only-there', 'Hello from there', accounts.agent.user._id])
      expect(told).not.toContain(hidden);
  });

  test('finds none of the others by naming it', async () => {
    const named = LISTS.filter(({ query }) => 'siteId' in query);
    expect(named.length).toBeGreaterThan(6);
    for (const { call } of named) {
      const { status } = await server.api(`${call}?siteId=${there.site._id}`, { token: keys.elsewhereKey });
      expect([call, status]).toEqual([call, 404]);
    }
    const chatIds = [there.ids.chat];
    const bulk = await server.api('POST /chats/bulk', { token: keys.manageKey, body: { action: 'close', chatIds } });
    expect(bulk.body.data.results).toMatchObject([{ outcome: 'done' }]);
    const foreign = await server.api('POST /chats/bulk', {
      token: keys.elsewhereKey,
      body: { action: 'reopen', chatIds },
    });
    expect(foreign.body.data.results).toMatchObject([{ code: 'CHAT_NOT_FOUND' }]);
  });

  test('adds no sites', async () => {
    const body = { name: 'New', domain: 'new.example.com' };
    const refused = await server.api('POST /sites', { token: keys.elsewhereKey, body });
    expect([refused.status, refused.body.code]).toEqual([403, 'API_KEY_SITES']);
    expect(await createSite(server.api, keys.manageKey)).toMatchObject({ isOwner: true });
  });
});

test('no API key reaches the account, its sessions and settings, or the platform', () => {
  const closed = /^\w+ \/(auth|settings|api-keys|admin|push|self-check|invites|notices)\b/;
  expect(open.filter(({ call }) => closed.test(call))).toEqual([]);
  expect(open.length).toBeGreaterThan(70);
});

test('whatever changes something needs more than reading, and no call needs less than its ability', () => {
  const owner = { role: 'admin', isOwner: true } as const;
  for (const { call, scope } of open) {
    if (!call.startsWith('GET')) expect([call, scope]).not.toEqual([call, 'read']);
    const rule = RULES[call];
    if (rule && 'ability' in rule && call !== 'POST /canned-replies' && !/canned-replies\/:id/.test(call))
      expect([call, can({ ...owner, scope }, rule.ability)]).toEqual([call, true]);
  }
});
