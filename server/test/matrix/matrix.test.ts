import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { includesScope } from '../../src/features/apikeys/contract.ts';
import { can } from '../../src/features/team/contract.ts';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { BROWSER, createSite, visit } from '../factories.ts';
import { startServer, type TestServer } from '../harness.ts';
import { connectStaff, connectVisitor, type Ear, hangUp } from '../sockets.ts';
import { expected, isKey, isMember, isNoStaff, isOneOfMany, type SiteRule, TARGETS, type Target } from './expected.ts';
import { type EventRule, RULES, STAFF_EVENTS, VISITOR_EVENTS } from './rules.ts';
import {
  type Accounts,
  changes,
  everythingStored,
  importIn,
  KEYS,
  type KeyPerson,
  makeAccounts,
  makeKeys,
  makeWorld,
  PEOPLE,
  type Person,
  type Rule,
  type Stored,
  type World,
} from './world.ts';

const UNKNOWN = {
  site: 'a'.repeat(24),
  chat: 'a'.repeat(24),
  visitor: 'a'.repeat(24),
  reply: 'a'.repeat(24),
  invite: 'A'.repeat(22),
  message: 'a'.repeat(24),
  webhook: 'a'.repeat(24),
  article: 'a'.repeat(24),
};
const MALFORMED = 'no-such-shape!';
/** What is not there of the thing itself, and a message that somebody else wrote. */
const OF_THE_CALL = [
  'MEMBER_NOT_FOUND',
  'DEPARTMENT_NOT_FOUND',
  'RULE_NOT_FOUND',
  'DELIVERY_NOT_FOUND',
  'VERSION_NOT_FOUND',
  'LANGUAGE_NOT_FOUND',
  'NOT_YOUR_MESSAGE',
  'MESSAGE_NOT_FOUND',
];

const server: TestServer = await startServer({ sitesPerAccount: 1000 });
const calls = [...catalogue.calls.keys()].sort();
let accounts: Accounts;
let world: World;
let foreign: World;
let otherVisitor: string;
let keys: Record<KeyPerson, string>;

beforeAll(async () => {
  accounts = await makeAccounts(server.api);
  foreign = await makeWorld(server.api, accounts.outsider);
  world = await makeWorld(server.api, accounts.owner, accounts);
  otherVisitor = foreign.session.visitorToken;
  keys = await makeKeys(server.api, accounts, await createSite(server.api, accounts.owner.token));
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

function tokenOf(person: Person): string | undefined {
  if (person === 'anonymous') return undefined;
  if (person === 'visitor') return world.session.visitorToken;
  if (isKey(person)) return keys[person];
  return person === 'otherVisitor' ? otherVisitor : accounts[person].token;
}

function idOf({ on }: SiteRule, target: Target): string {
  if (target === 'own') return world.ids[on];
  if (target === 'foreign') return foreign.ids[on];
  return target === 'unknown' ? UNKNOWN[on] : MALFORMED;
}

/** The import that calls are about, of the world in which it was made. */
let past: { of: World; id: string } | undefined;

async function importId(): Promise<string> {
  if (past?.of !== world) past = { of: world, id: await importIn(server.api, world, accounts.owner) };
  return past.id;
}

async function ask(call: string, rule: SiteRule, person: Person, target: Target) {
  const id = idOf(rule, target);
  const named = rule.by ?? 'path';
  const place = named === 'path' ? encodeURIComponent(id) : (rule.path?.(world) ?? '');
  const known = call.includes(':importId') ? call.replace(':importId', await importId()) : call;
  const path =
    known
      .replace(/:(id|siteId|inviteId)/, place)
      .replace(':messageId', world.ids.message)
      .replace(':webhookId', world.ids.webhook)
      .replace(':lang', 'de')
      .replace(/:(versionId|questionId)/, UNKNOWN.article) +
    (named === 'query' ? `?siteId=${encodeURIComponent(id)}` : '');
  const given = { ...rule.body?.(world), ...(named === 'body' ? { siteId: id } : {}) };
  const body = call.startsWith('GET') ? undefined : given;
  return server.api(path, { token: tokenOf(person), body });
}

const callsOfSites = calls.filter((call) => RULES[call] && 'on' in RULES[call]);
const combinations = PEOPLE.flatMap((person) => TARGETS.map((target) => ({ person, target })));

test('every registered call has a row, and every row a call', () => {
  expect(calls.filter((call) => !RULES[call])).toEqual([]);
  expect(calls.length).toBeGreaterThan(50);
});

/** All that is stored is read before and after so many calls: to read it for each takes longer than the calls. */
const CALLS_BETWEEN_READS = 10;
const groups = Array.from({ length: Math.ceil(callsOfSites.length / CALLS_BETWEEN_READS) }, (_, at) =>
  callsOfSites.slice(at * CALLS_BETWEEN_READS, (at + 1) * CALLS_BETWEEN_READS),
);

describe.each(groups.map((group) => ({ group })))('refused to everybody without permission', ({ group }) => {
  let before: Stored;
  beforeAll(async () => {
    await importId();
    before = await everythingStored();
  });

  test.each(group)('%s, with the same answer for foreign and unknown', async (call) => {
    const rule = RULES[call] as SiteRule;
    const unknown = await ask(call, rule, 'owner', 'unknown');
    const refused = combinations.filter(
      ({ person, target }) => expected(call, rule, person, target) !== 'done' && !isOneOfMany(call, person, target),
    );
    // All at once, because nothing comes of any.
    const answers = await Promise.all(refused.map(({ person, target }) => ask(call, rule, person, target)));
    for (const [at, { person, target }] of refused.entries()) {
      const status = expected(call, rule, person, target);
      expect([person, target, answers[at]?.status]).toEqual([person, target, status]);
      if (status === 404) expect(answers[at]?.body).toEqual(unknown.body);
    }
  });

  test(`nothing has changed by ${group.join(', ')}`, async () => {
    expect(changes(before, await everythingStored())).toEqual([]);
  });
});

describe.each(calls.filter((call) => RULES[call] && 'self' in RULES[call]))('%s', (call) => {
  test('needs a session, refuses visitor tokens, and API keys unless it is open to them', async () => {
    const before = await everythingStored();
    const path = call.replace(/:inviteId/, UNKNOWN.invite).replace(/:\w+/, UNKNOWN.site);
    for (const person of ['anonymous', 'visitor', 'otherVisitor'] as const) {
      const body = call.startsWith('GET') ? undefined : {};
      expect((await server.api(path, { token: tokenOf(person), body })).status).toBe(401);
    }
    const needed = catalogue.calls.get(call)?.scope;
    for (const person of Object.keys(KEYS) as KeyPerson[]) {
      if (needed && includesScope(KEYS[person].scope, needed)) continue;
      const { status, body } = await server.api(path, {
        token: keys[person],
        body: call.startsWith('GET') ? undefined : {},
      });
      expect([person, status, body.code]).toEqual([person, 403, needed ? 'API_KEY_SCOPE' : 'API_KEY_REFUSED']);
    }
    expect(changes(before, await everythingStored())).toEqual([]);
  });
});

describe.each(calls.filter((call) => RULES[call] && 'platform' in RULES[call]))('%s', (call) => {
  const { body, status: ofAdmin = 200 } = RULES[call] as Extract<Rule, { platform: true }>;
  const send = (person: Person, id: string) =>
    server.api(call.replace(/:\w+/, id), { token: tokenOf(person), body: call.startsWith('GET') ? undefined : body });

  test('is for platform admins only, and does not reveal accounts to others', async () => {
    const before = await everythingStored();
    for (const person of PEOPLE) {
      if (person === 'platformAdmin') continue;
      const status = isNoStaff(person) ? 401 : 403;
      for (const id of [accounts.stranger.user._id, UNKNOWN.site])
        expect([person, (await send(person, id)).status]).toEqual([person, status]);
    }
    expect(changes(before, await everythingStored())).toEqual([]);
    expect((await send('platformAdmin', accounts.stranger.user._id)).status).toBe(ofAdmin);
    if (call.includes(':id')) expect((await send('platformAdmin', UNKNOWN.site)).status).toBe(404);
  });
});

describe.each(calls.filter((call) => RULES[call] && 'visitor' in RULES[call]))('%s', (call) => {
  const rule = RULES[call] as Extract<Rule, { visitor: true }>;
  const send = (person: Person, code: string) =>
    server.api(call.replace(':widgetCode', code), { token: tokenOf(person), body: rule.body?.(world) ?? {} });

  test('is for visitors of the site only', async () => {
    world = await makeWorld(server.api, accounts.owner, accounts);
    const before = await everythingStored();
    for (const person of PEOPLE) {
      if (person === 'visitor') continue;
      const status = person === 'otherVisitor' ? 404 : 401;
      expect([person, (await send(person, world.site.widgetCode)).status]).toEqual([person, status]);
    }
    expect((await send('visitor', foreign.site.widgetCode)).status).toBe(404);
    expect((await send('visitor', 'unknown')).status).toBe(404);
    expect(changes(before, await everythingStored())).toEqual([]);
    // 409 is the state's refusal: this server sends no mail.
    expect([200, 201, 409]).toContain((await send('visitor', world.site.widgetCode)).status);
  });
});

describe('events', () => {
  test('every event of both namespaces has a row', async () => {
    await connectStaff(server.url, accounts.owner.token);
    world = await makeWorld(server.api, accounts.owner, accounts);
    await connectVisitor(server.url, world.session.visitorToken);
    expect([...catalogue.staffEvents.keys()].sort()).toEqual(Object.keys(STAFF_EVENTS).sort());
    expect([...catalogue.visitorEvents.keys()].sort()).toEqual(Object.keys(VISITOR_EVENTS).sort());
  });

  const withRights = Object.entries(STAFF_EVENTS).filter(
    (row): row is [string, Extract<EventRule, { ask: object }>] => 'ask' in row[1],
  );
  test.each(withRights)('%s is answered as the role allows', async (event, { ability, ask: payload }) => {
    world = await makeWorld(server.api, accounts.owner, accounts);
    const ears = new Map<Person, Ear>();
    for (const person of ['stranger', 'platformAdmin', 'viewer', 'agent', 'admin', 'owner'] as const)
      ears.set(person, await connectStaff(server.url, accounts[person].token));
    const before = await everythingStored();
    for (const [person, ear] of ears) {
      for (const chatId of [foreign.ids.chat, UNKNOWN.chat])
        expect(await ear.ask(event, { ...payload, chatId })).toMatchObject({ ok: false, code: 'CHAT_NOT_FOUND' });
      expect((await ear.ask(event, { ...payload, chatId: MALFORMED })).code).toBe('VALIDATION_FAILED');
      const role = person === 'owner' ? 'admin' : (person as 'viewer' | 'agent' | 'admin');
      const allowed = isMember(person) && can({ role, isOwner: person === 'owner' }, ability);
      if (allowed) continue;
      const code = isMember(person) ? 'FORBIDDEN' : 'CHAT_NOT_FOUND';
      expect([person, (await ear.ask(event, { ...payload, chatId: world.ids.chat })).code]).toEqual([person, code]);
    }
    expect(changes(before, await everythingStored())).toEqual([]);
    const owner = await connectStaff(server.url, accounts.owner.token);
    expect(await owner.ask(event, { ...payload, chatId: world.ids.chat })).toMatchObject({ ok: true });
    hangUp();
  });

  const ofChats = Object.entries(VISITOR_EVENTS).filter(
    (row): row is [string, { ask: object; ofMessage?: true }] => 'ask' in row[1],
  );
  test.each(ofChats)("a visitor's %s only affects their own chat", async (event, { ask: given, ofMessage }) => {
    world = await makeWorld(server.api, accounts.owner, accounts);
    const payload = { ...given, ...(ofMessage && { messageId: world.ids.message }) };
    const neighbour = await visit(server.api, world.site);
    const ears = [
      await connectVisitor(server.url, neighbour.visitorToken, BROWSER),
      await connectVisitor(server.url, otherVisitor),
    ];
    const before = await everythingStored();
    for (const ear of ears)
      expect(await ear.ask(event, { ...payload, chatId: world.ids.chat })).toMatchObject({
        ok: false,
        code: 'CHAT_NOT_FOUND',
      });
    expect(changes(before, await everythingStored())).toEqual([]);
    const own = await connectVisitor(server.url, world.session.visitorToken);
    expect((await own.ask(event, { ...payload, chatId: world.ids.chat })).ok).toBe(true);
    hangUp();
  });
});

// After all that read everything that is stored, because they store much.
describe.each(callsOfSites)('%s', (call) => {
  const rule = RULES[call] as SiteRule;

  test('works for everybody with permission', async () => {
    // Refusals of the call's own, or of the state, that a new world gives, too.
    const usual = new Set<string>();
    const said = ({ status, body }: Awaited<ReturnType<typeof ask>>) => `${status} ${body.code}`;
    for (const { person, target } of combinations) {
      if (expected(call, rule, person, target) !== 'done') continue;
      let answer = await ask(call, rule, person, target);
      // Those before may have used it up: then all is made anew, which takes longer than most calls.
      if (![200, 201].includes(answer.status) && !usual.has(said(answer))) {
        world = await makeWorld(server.api, accounts.owner, accounts);
        answer = await ask(call, rule, person, target);
        usual.add(said(answer));
      }
      if (!OF_THE_CALL.includes(answer.body.code)) expect([200, 201, 409, 422]).toContain(answer.status);
    }
  });
});
