import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Accounts, makeAccounts, makeWorld, type World } from '../matrix/world.ts';
import { connectStaff, connectVisitor, type Ear, hangUp } from '../sockets.ts';
import { hostile, inputs } from './values.ts';

/** `npm run fuzz` asks for many; the suite takes a sample. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 6);
const LONG_MS = 120_000 + RUNS * 1_000;
/** They end the session, or the token, that the others are made with. */
const LEFT_OUT = new Set(['POST /auth/logout', 'POST /auth/refresh']);

const server: TestServer = await startServer({ sitesPerAccount: 100_000 });
const calls = [...catalogue.calls.keys()].filter((call) => !LEFT_OUT.has(call)).sort();
let accounts: Accounts;
let world: World;

beforeAll(async () => {
  accounts = await makeAccounts(server.api);
  world = await makeWorld(server.api, accounts.owner, accounts);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const knownIds = () => Object.values(world.ids).filter((id) => id.length === 24);

/** An address with odd things where ids belong. */
function addresses(call: string): fc.Arbitrary<string> {
  const names = call.match(/:\w+/g) ?? [];
  const parts = names.map((name) => {
    const known =
      name === ':widgetCode' ? [world.site.widgetCode] : name === ':inviteId' ? [world.ids.invite] : knownIds();
    const kept = call.startsWith('DELETE') ? ['a'.repeat(24)] : known;
    return fc.oneof(fc.constantFrom(...kept), fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }));
  });
  return fc.tuple(...parts).map((values) => {
    let at = 0;
    return call.replace(/:\w+/g, () => encodeURIComponent((values[at++] ?? '').toWellFormed()));
  });
}

function asQuery(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const pairs = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return `${encodeURIComponent(name)}=${encodeURIComponent(text.slice(0, 300).toWellFormed())}`;
  });
  return `?${pairs.join('&')}`;
}

describe.each(calls)('%s', (call) => {
  test('no input is answered with a 5xx', { timeout: LONG_MS }, async () => {
    const { audience, body = {}, query = {}, files } = catalogue.calls.get(call) ?? { audience: 'anyone' };
    const staff = call.includes('/admin/') ? accounts.platformAdmin : accounts.owner;
    const token = audience === 'visitor' ? world.session.visitorToken : staff.token;
    const arbitrary = fc.tuple(addresses(call), inputs(body, knownIds()), inputs(query, knownIds()));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([address, sent, asked]) => {
        const isRead = call.startsWith('GET');
        const answer = await server.api(address + asQuery(asked), {
          token,
          body: isRead || typeof sent !== 'object' || sent === null ? undefined : sent,
        });
        expect([answer.status < 500, answer.body.code]).toEqual([true, answer.body.code]);
        const isFile = files !== undefined && answer.status < 400;
        if (!isFile) expect(answer.body.success).toBe(answer.status < 400);
      }),
      { numRuns: RUNS },
    );
  });
});

test.each([
  ['text/plain', 'hello'],
  ['application/json', '{"a":'],
  ['application/json', '"a string"'],
  ['application/json', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
  ['application/json; charset=utf-7', '{}'],
  ['application/x-www-form-urlencoded', 'email[$ne]=x&password[$ne]=x'],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
  ['', '\u0000\u0001'],
])('a body of %j is answered', async (type, sent) => {
  for (const path of ['/auth/login', `/widget/${world.site.widgetCode}/session`]) {
    const headers = { 'Content-Type': type };
    const answer = await fetch(`${server.url}/api${path}`, { method: 'POST', headers, body: sent });
    expect(answer.status).toBeLessThan(500);
  }
});

describe('sockets', () => {
  const knocks = async (): Promise<[Ear, Ear]> => [
    await connectStaff(server.url, accounts.owner.token),
    await connectVisitor(server.url, world.session.visitorToken),
  ];

  test('every event survives any payload', { timeout: LONG_MS }, async () => {
    world = await makeWorld(server.api, accounts.owner, accounts);
    const [staff, visitor] = await knocks();
    const events = [
      ...[...catalogue.staffEvents].map(([event, rules]) => ({ ear: staff, event, rules })),
      ...[...catalogue.visitorEvents].map(([event, rules]) => ({ ear: visitor, event, rules })),
    ];
    expect(events.length).toBeGreaterThan(14);
    for (const { ear, event, rules } of events) {
      await fc.assert(
        fc.asyncProperty(inputs(rules, [world.ids.chat]), async (payload) => {
          const ack = await ear.ask(event, payload);
          expect([typeof ack.ok, ack.code]).toEqual(['boolean', ack.code === 'INTERNAL' ? 'a bug' : ack.code]);
        }),
        { numRuns: RUNS },
      );
    }
    hangUp();
  });

  test('a hostile frame ends its own connection at most', { timeout: LONG_MS }, async () => {
    const frames = [
      '',
      '9',
      '4',
      '0{"token":',
      '2',
      '2[]',
      '2["sync"',
      '2["sync",{"chats":[]}]trailing',
      '2[null]',
      '2["__proto__"]',
      '21["constructor",{}]',
      '2/visitor,["sync",{}]',
      '2/nowhere,["x"]',
      '51-["sync",{"_placeholder":true,"num":0}]',
      '5999999999-["sync"]',
      '3999999["x"]',
      `2["sync",${JSON.stringify('x'.repeat(60_000))}]`,
      `2["sync",${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
    ];
    const bystander = await connectStaff(server.url, accounts.owner.token);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...frames), fc.string()), { maxLength: 5 }), async (sent) => {
        const { socket } = await connectStaff(server.url, accounts.owner.token);
        for (const frame of sent) socket.io.engine.write(frame);
        expect(await bystander.ask('sync', { chats: [] })).toMatchObject({ ok: true });
        socket.disconnect();
      }),
      { numRuns: RUNS * 3 },
    );
    const odd = await fc.sample(hostile, 10);
    for (const token of odd) await expect(connectVisitor(server.url, token)).rejects.toThrow();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    hangUp();
  });
});
