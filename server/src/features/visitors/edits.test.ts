import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Chat, PersonExport, Site, VisitorSession } from '../../../contract.ts';
import { AuditModel } from '../audit/auditLog.ts';
import { ChatModel } from '../chats/model.ts';
import { PERSON_NOTE_MAX_LENGTH } from '../presence/contract.ts';
import { sweepCopies } from './edits.ts';
import { VisitorModel } from './model.ts';
import { markBounced } from './people/bounces.ts';

const HOUR_S = 3_600;
let server: TestServer;
let owner: Account;
let agent: Account;
let site: Site;
let session: VisitorSession;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 50 });
  [owner, agent] = await Promise.all([signUp(server.api, 'Olga'), signUp(server.api, 'Ben')]);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
  session = await visit(server.api, site, { visitor: { name: 'Vrea' } });
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const correct = (body: object, { visitor } = session) => as(agent)(`PATCH /visitors/${visitor._id}`, body);
const write = (body: object, who = agent) => as(who)(`PUT /visitors/${session.visitor._id}/note`, body);
const info = async (id: string) => ((await as(owner)(`GET /chats/${id}`)).body.data.chat as Chat).visitorInfo;
const resume = (body: object = {}) => visit(server.api, site, { visitorToken: session.visitorToken, ...body });

describe('what is known about a visitor', () => {
  test('is corrected in all chats, the search and on the screens of the colleagues, and leaves a trace', async () => {
    const closed = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${closed}/close`);
    const open = await say(server.api, site, session, 'Again');
    const desk = await connectStaff(server.url, owner.token);
    const form = { name: ' Vera Lund ', email: 'vera@example.com', phone: '+46 (0)8 123-45' };
    const contact = { name: 'Vera Lund', email: 'vera@example.com' };
    const { status, body } = await correct(form);
    expect([status, body.data.visitor]).toEqual([200, { _id: session.visitor._id, ...contact, phone: form.phone }]);
    for (const chat of [closed, open]) expect(await info(chat)).toMatchObject(contact);
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat._id === closed));
    const told = await until(async () => desk.heard('visitor_updated').at(-1));
    expect(told).toMatchObject({ visitorId: session.visitor._id, ...contact, phone: form.phone });
    const found = async () => (await as(owner)('GET /chats?search=lund')).body.data.chats.length === 2;
    await until(found);
    expect(await AuditModel.findOne({ action: 'visitor_changed', site: site._id }).lean()).toMatchObject({
      detail: { fields: ['name', 'email', 'phone'] },
    });
    expect((await resume()).visitor).toMatchObject(contact);
    await correct({ email: '', phone: '' });
    expect(await info(closed)).toMatchObject({ name: 'Vera Lund', email: null });
    expect((await resume()).visitor.email).toBeNull();
  });

  test('reaches colleagues also when no chat is open', async () => {
    const chat = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${chat}/close`);
    const desk = await connectStaff(server.url, owner.token);
    await correct({ phone: '12345' });
    await until(async () => desk.heard('visitor_updated').some(({ phone }) => phone === '12345'));
    expect((await desk.ask('open_chat', { chatId: chat })).visitor.phone).toBe('12345');
  });

  test('includes that mails to the present address come back, until a member wants to try it again', async () => {
    const chatId = await say(server.api, site, session, 'Hello');
    await correct({ email: 'Vera@Example.com' });
    const { _id } = (await VisitorModel.findById(session.visitor._id).lean()) ?? {};
    const desk = await connectStaff(server.url, owner.token);
    if (_id) await markBounced(_id, { email: 'vera@example.com', status: '5.1.1' }, 0);
    const bounced = { status: '5.1.1', at: new Date(0).toISOString() };
    await until(async () => desk.heard('visitor_updated').some((told) => told.bounced?.status === '5.1.1'));
    expect((await desk.ask('open_chat', { chatId })).visitor.bounced).toEqual(bounced);
    await as(agent)(`DELETE /visitors/${session.visitor._id}/bounce`);
    await until(async () => desk.heard('visitor_updated').at(-1)?.bounced === undefined);
    expect(await VisitorModel.findById(_id).lean()).not.toHaveProperty('bounced');
    expect(await AuditModel.findOne({ site: site._id, 'detail.fields': 'bounced' }).lean()).not.toBeNull();
    if (_id) await markBounced(_id, { email: 'vera@example.com', status: '5.1.1' }, 0);
    await correct({ email: 'vera@new.example' });
    expect((await desk.ask('open_chat', { chatId })).visitor).not.toHaveProperty('bounced');
  });

  test('is not changed back by the page, but by the visitor', async () => {
    await correct({ name: 'Vera' });
    expect((await resume({ identity: { name: 'Vrea' } })).visitor.name).toBe('Vera');
    expect((await resume({ visitor: { name: 'Vera L.' } })).visitor.name).toBe('Vera L.');
  });

  test('stays what the website has proved', async () => {
    const { secret } = (await as(owner)(`GET /sites/${site._id}/identity-secret`)).body.data;
    const token = (claims: object) =>
      jwt.sign({ sub: 'vera', exp: Math.floor(Date.now() / 1000) + HOUR_S, ...claims }, secret);
    const proved = await visit(server.api, site, { identity: { token: token({ name: 'Vera' }) } });
    const refused = await correct({ name: 'Boss', email: 'boss@example.com' }, proved);
    expect([refused.status, refused.body.code]).toEqual([409, 'IDENTIFIED']);
    for (const email of ['vrea@example.com', 'vera@example.com'])
      expect((await correct({ email }, proved)).body.data.visitor).toMatchObject({ name: 'Vera', email });
    const { visitorToken } = proved;
    const again = { identity: { token: token({ email: 'v@example.com' }) }, visitorToken };
    expect((await visit(server.api, site, again)).visitor.email).toBe('v@example.com');
    expect((await correct({ email: 'vera@example.com' }, proved)).status).toBe(409);
  });

  test.each([{ email: 'nowhere' }, { phone: 'call me' }, { name: 'x'.repeat(101) }, { name: 7 }, { phone: null }])(
    '%j is refused',
    async (body) => {
      expect((await correct(body)).status).toBe(422);
      expect((await resume()).visitor.name).toBe('Vrea');
    },
  );

  test('reaches the chats after a crash between the two', async () => {
    const chat = await say(server.api, site, session, 'Hello');
    await VisitorModel.updateOne(
      { _id: session.visitor._id },
      { $set: { name: 'Vera', corrected: ['name'], unmarked: true } },
    );
    await sweepCopies(Date.now(), new AbortController().signal);
    expect((await info(chat)).name).toBe('Vera');
    expect(await VisitorModel.exists({ unmarked: true })).toBeNull();
  });
});

describe('the note on a person', () => {
  test('tells who wrote it and when, live and in every chat, and is no longer there when it is emptied', async () => {
    const chat = await say(server.api, site, session, 'Hello');
    const desk = await connectStaff(server.url, owner.token);
    const { note } = (await write({ content: 'Prefers mail' })).body.data;
    expect(note).toEqual({
      version: expect.any(String),
      content: 'Prefers mail',
      author: { _id: agent.user._id, name: 'Ben' },
      at: expect.any(String),
    });
    await until(async () => desk.heard('visitor_updated').some((event) => event.note?.version === note.version));
    expect((await desk.ask('open_chat', { chatId: chat })).visitor.note).toEqual(note);
    const file = (await as(owner)(`GET /visitors/${session.visitor._id}/export`)).body as unknown as PersonExport;
    expect(file.visitor.note).toEqual(note);
    expect(JSON.stringify(await resume())).not.toContain('Prefers mail');
    expect((await write({ content: ' ', version: note.version })).body.data.note).toBeNull();
    expect((await desk.ask('open_chat', { chatId: chat })).visitor.note).toBeUndefined();
  });

  test('is not overwritten by someone who has not seen the latest one', async () => {
    const [one, other] = await Promise.all([write({ content: 'One' }), write({ content: 'Other' }, owner)]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    const { note } = (one.status === 200 ? one : other).body.data;
    expect((await write({ content: 'Late' })).body.code).toBe('NOTE_CHANGED');
    const second = (await write({ content: 'Second', version: note.version })).body.data.note;
    expect((await write({ content: 'Third', version: note.version }, owner)).body.code).toBe('NOTE_CHANGED');
    expect((await write({ content: 'Third', version: second.version }, owner)).status).toBe(200);
  });

  test('has a limit', async () => {
    expect((await write({ content: 'x'.repeat(PERSON_NOTE_MAX_LENGTH + 1) })).status).toBe(422);
    expect((await write({ content: 'x', version: 'new' })).status).toBe(422);
  });
});

test('erasing a visitor removes note, phone and corrections', async () => {
  const chat = await say(server.api, site, session, 'Hello');
  await correct({ name: 'Vera', phone: '12345' });
  await write({ content: 'Regular' });
  expect((await as(owner)(`DELETE /visitors/${session.visitor._id}`)).status).toBe(200);
  const { note, phone, corrected, name } = (await VisitorModel.findById(session.visitor._id).lean()) ?? {};
  expect([note, phone, corrected, name]).toEqual([undefined, undefined, undefined, null]);
  expect(await ChatModel.findById(chat)).toBeNull();
  expect((await correct({ name: 'Vera' })).status).toBe(404);
  expect((await write({ content: 'Back' })).status).toBe(404);
});
