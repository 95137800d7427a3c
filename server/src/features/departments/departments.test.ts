import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { ChatStatus, Department, DepartmentBody, DepartmentPatch, Note, Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';
import { DEPARTMENTS_MAX } from './contract.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let owner: Account;
let ana: Account;
let ben: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api, 'Olga Owner');
});
beforeEach(async () => {
  [ana, ben] = [await signUp(server.api, 'Ana Ruiz'), await signUp(server.api, 'Ben Okafor')];
  site = await createSite(server.api, owner.token);
  for (const who of [ana, ben]) await join(site, who, 'agent');
  await look();
});
afterEach(hangUp);
afterAll(() => server.stop());

const ask = (call: string, body?: object, token = owner.token) => server.api(call, { token, ...(body && { body }) });
const path = () => `/sites/${site._id}/departments`;
const all = async (): Promise<Department[]> => (await ask(`GET ${path()}`)).body.data.departments;
async function add(body: DepartmentBody): Promise<Department> {
  const { status, body: answer } = await ask(`POST ${path()}`, body);
  expect(status).toBe(201);
  return answer.data.departments.at(-1);
}
const change = ({ _id }: Department, body: Partial<DepartmentPatch>, token?: string) =>
  ask(`PATCH ${path()}/${_id}`, body, token);

/** A visitor who writes to a department. */
async function write(department?: string): Promise<string> {
  const { visitorToken } = await visit(server.api, site);
  const body = { clientId: randomUUID(), content: 'Hello', ...(department !== undefined && { department }) };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body });
  expect(sent.status).toBe(201);
  const { _id } = sent.body.data.chat;
  await until(async () => (await row(_id)).lastSeq > 0);
  return _id;
}
const row = async (id: string) => (await ask(`GET /chats/${id}`)).body.data.chat;
const claimerOf = async (id: string) => (await row(id)).claimedBy?._id ?? null;
const there = (who: Account) => connectStaff(server.url, who.token);
/** Chats are assigned, and the server looks at the queue again. */
const look = () => ask(`PATCH /sites/${site._id}`, { settings: { autoAssign: true } });

test('a department is added, changed, sorted and deleted by admins; of two changes at once the second one is refused', async () => {
  const orders = await add({ name: ' Orders ', members: [ana.user._id, 'b'.repeat(24)] });
  expect(orders).toEqual({
    _id: expect.any(String),
    name: 'Orders',
    members: [ana.user._id],
    hours: null,
    visible: true,
    helpAfterMinutes: null,
    rev: 1,
  });
  const invoices = await add({ name: 'Invoices', helpAfterMinutes: 5, visible: false });
  expect((await ask(`POST ${path()}`, { name: 'orders' })).body.code).toBe('DEPARTMENT_EXISTS');
  const [first, second] = await Promise.all(['A', 'B'].map((name) => change(orders, { name, rev: 1 })));
  expect([first?.status, second?.status].sort()).toEqual([200, 409]);
  expect((await change(orders, { name: 'Sales', helpAfterMinutes: null, rev: 2 })).status).toBe(200);
  await ask(`PUT ${path()}`, { ids: [invoices._id] });
  expect((await all()).map(({ name }) => name)).toEqual(['Invoices', 'Sales']);
  expect((await change(orders, { helpAfterMinutes: 0, rev: 3 })).status).toBe(422);
  expect((await change(orders, { name: 'Mine', rev: 3 }, ana.token)).status).toBe(403);
  expect((await ask(`GET ${path()}`, undefined, ana.token)).status).toBe(200);
  expect((await ask(`DELETE ${path()}/${invoices._id}`)).body.data.departments).toHaveLength(1);
  expect((await ask(`DELETE ${path()}/${invoices._id}`)).status).toBe(404);
});

test('a site has a limited number of departments, also when many are added at once', async () => {
  for (let n = 1; n < DEPARTMENTS_MAX; n++) await add({ name: `Part ${n}` });
  const last = await Promise.all(['X', 'Y'].map((name) => ask(`POST ${path()}`, { name })));
  expect(last.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(last.find(({ status }) => status === 409)?.body.code).toBe('DEPARTMENT_LIMIT_REACHED');
});

test('a chat is assigned to members of the department that its visitor chose, and anybody may still claim it', async () => {
  const orders = await add({ name: 'Orders', members: [ana.user._id] });
  await there(ben);
  const chat = await write(orders._id);
  const other = await write('no such department');
  await until(async () => (await claimerOf(other)) === ben.user._id);
  expect(await row(chat)).toMatchObject({ status: 'waiting', department: { _id: orders._id, name: 'Orders' } });
  expect((await row(other)).department).toBeUndefined();
  const inside = await add({ name: 'Inside', visible: false });
  expect((await row(await write(inside._id))).department).toBeUndefined();
  const second = await write(orders._id);
  expect((await ask(`POST /chats/${second}/claim`, undefined, ben.token)).status).toBe(200);
  await there(ana);
  await until(async () => (await claimerOf(chat)) === ana.user._id);
});

test('others are given a chat when it has waited for so long, or when no member of its department is left', async () => {
  const orders = await add({ name: 'Orders', members: [ana.user._id], helpAfterMinutes: 10 });
  const invoices = await add({ name: 'Invoices', members: [ana.user._id] });
  await there(ben);
  const [helped, left] = [await write(orders._id), await write(invoices._id)];
  const begun = new Date(Date.now() - 11 * MINUTE_MS);
  await ChatModel.updateOne({ _id: helped }, { $set: { createdAt: begun } });
  await look();
  await until(async () => (await claimerOf(helped)) === ben.user._id);
  expect(await claimerOf(left)).toBeNull();
  await ask(`PATCH /team/members/${ana.user._id}`, { siteId: site._id, role: 'viewer' });
  await until(async () => (await claimerOf(left)) === ben.user._id);
  expect((await all()).map(({ members }) => members)).toEqual([[], []]);
});

test('a chat waits for the office hours of its department, with whomever is there; its list has an index', async ({
  skip,
}) => {
  const closed = { timeZone: 'UTC', days: [] };
  const orders = await add({ name: 'Orders', members: [ana.user._id, ben.user._id], hours: closed });
  await there(ana);
  const [waiting, other] = [await write(orders._id), await write()];
  await until(async () => (await claimerOf(other)) === ana.user._id);
  expect(await claimerOf(waiting)).toBeNull();
  await change(orders, { hours: null, rev: 1 });
  await until(async () => (await claimerOf(waiting)) === ana.user._id);
  await needPlans(skip);
  const of = { site: new Types.ObjectId(site._id), bot: false, department: new Types.ObjectId(orders._id) };
  const all: ChatStatus[] = ['waiting', 'active', 'closed'];
  for (const status of [all, all.slice(0, 1)]) {
    const chats = () => ChatModel.find({ ...of, status: { $in: status } });
    const list = chats().sort({ lastActivity: -1, _id: -1 }).hint('by_department').limit(20);
    expect(JSON.stringify(await list.explain('queryPlanner'))).not.toContain('COLLSCAN');
    expect(JSON.stringify(await chats().explain('queryPlanner'))).toContain('by_department');
  }
});

test('a chat of a deleted department is of none, for all who list it and who are given it', async () => {
  const orders = await add({ name: 'Orders', members: [ana.user._id] });
  const invoices = await add({ name: 'Invoices', members: [ana.user._id] });
  const [gone, kept] = [await write(orders._id), await write(invoices._id)];
  const listed = async (department: string) => {
    const { chats } = (await ask(`GET /chats/site/${site._id}?department=${department}`)).body.data;
    const query = `siteId=${site._id}&department=${department}`;
    const history = (await ask(`GET /chats/history?${query}`)).body.data;
    const { counts } = (await ask(`GET /inbox/counts?${query}`)).body.data;
    return [chats.map(({ _id }: { _id: string }) => _id), history.total, counts.waiting];
  };
  expect(await listed(orders._id)).toEqual([[gone], 1, 1]);
  expect(await listed('none')).toEqual([[], 0, 0]);
  await there(ben);
  await ask(`DELETE ${path()}/${orders._id}`);
  await until(async () => (await claimerOf(gone)) === ben.user._id);
  expect((await row(gone)).department).toBeUndefined();
  expect((await listed('none'))[0]).toEqual([gone]);
  expect((await listed(invoices._id))[0]).toEqual([kept]);
});

test('a chat is handed to a department, away from its claimer, and put into one without that', async () => {
  const orders = await add({ name: 'Orders', members: [ana.user._id, ben.user._id] });
  const chat = await write();
  await ask(`POST /chats/${chat}/claim`, undefined, ben.token);
  const put = await ask(`PUT /chats/${chat}/department`, { department: orders._id }, ben.token);
  expect(put.body.data.chat).toMatchObject({ department: { name: 'Orders' }, claimedBy: { _id: ben.user._id } });
  await there(ben);
  const moved = await ask(`POST /chats/${chat}/transfer`, { department: orders._id }, ben.token);
  expect(moved.body.data.chat).toMatchObject({ department: { name: 'Orders' }, claimedBy: null, status: 'waiting' });
  await there(ana);
  await until(async () => (await claimerOf(chat)) === ana.user._id);
  const taken = await ask(`PUT /chats/${chat}/department`, { department: null });
  expect(taken.body.data.chat.department).toBeUndefined();
  const { notes } = (await ask(`GET /chats/${chat}/notes`)).body.data;
  expect(notes.map(({ event, to, department }: Note) => [event, to, department?.name ?? null])).toEqual([
    ['department', undefined, 'Orders'],
    ['transferred', null, 'Orders'],
    ['department', undefined, null],
  ]);
  expect((await ask(`POST /chats/${chat}/transfer`, {})).status).toBe(422);
  expect((await ask(`POST /chats/${chat}/transfer`, { department: 'b'.repeat(24) })).status).toBe(404);
  const bulk = { action: 'department', department: orders._id, chatIds: [chat] };
  const outcomes = [await ask('POST /chats/bulk', bulk), await ask('POST /chats/bulk', bulk)];
  expect(outcomes.map(({ body }) => body.data.results[0].outcome)).toEqual(['done', 'unchanged']);
});

test('widgets know which departments there are, and when somebody is there', async () => {
  const closed = { timeZone: 'UTC', days: [] };
  const orders = await add({ name: 'Orders', members: [ana.user._id] });
  const night = await add({ name: 'Night', members: [ana.user._id], hours: closed });
  await add({ name: 'Inside', visible: false });
  const session = await visit(server.api, site);
  expect(session.config.departments).toEqual([
    { _id: orders._id, name: 'Orders', online: false },
    { _id: night._id, name: 'Night', online: false },
  ]);
  const widget = await connectVisitor(server.url, session.visitorToken);
  await there(ben);
  await until(async () => widget.heard('availability').at(-1)?.online === true);
  await there(ana);
  await until(async () => widget.heard('availability').at(-1)?.departments[0].online === true);
  expect(widget.heard('availability').at(-1)).toEqual({
    online: true,
    departments: [
      { _id: orders._id, online: true },
      { _id: night._id, online: false },
    ],
  });
  await change(orders, { visible: false, rev: 1 });
  await until(async () => widget.heard('config_changed').length > 0);
  expect(widget.heard('config_changed').at(-1).config.departments).toHaveLength(1);
});
