import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import type { Report, Site } from '../../../contract.ts';

let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  [owner, ben] = [await signUp(server.api, 'Ana Lind'), await signUp(server.api, '=Ben')];
  site = await createSite(server.api, owner.token);
  await join(site, ben, 'agent');
});
afterAll(() => server.stop());

async function report({ token }: Account, query: object = {}): Promise<Report> {
  return (await server.api(`GET /reports?${new URLSearchParams({ ...query })}`, { token })).body.data;
}
const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const add = async (name: string): Promise<string> =>
  (await as(`POST /sites/${site._id}/departments`, { name })).body.data.departments.at(-1)._id;
async function begin(department: string): Promise<{ chatId: string; rate: (score: number) => Promise<unknown> }> {
  const { visitorToken: token } = await visit(server.api, site);
  const body = { clientId: crypto.randomUUID(), content: 'Hello', department };
  const chatId = (await server.api(`POST /widget/${site.widgetCode}/messages`, { token, body })).body.data.chat._id;
  return {
    chatId,
    rate: (score) => server.api(`POST /widget/${site.widgetCode}/rating`, { token, body: { chatId, score } }),
  };
}
const figures = async () =>
  (await report(owner)).departments.map(({ department, chats, answered, resolved, ratings, rating, missed }) =>
    [department.name, chats, answered, resolved, ratings, rating, missed].join(),
  );
const shows = (...wanted: string[]) => until(async () => (await figures()).join(' ') === wanted.join(' '));

test('a department has the chats that it had when they were closed: also when they were moved, missed, opened again, and when it is deleted', async () => {
  const [orders, invoices] = [await add('Orders'), await add('Invoices')];
  const { chatId, rate } = await begin(orders);
  const missed = await begin(orders);
  await shows('Orders,2,0,0,0,,0');
  await as(`PUT /chats/${chatId}/department`, { department: invoices });
  await shows('Orders,1,0,0,0,,0', 'Invoices,1,0,0,0,,0');
  await server.api(`POST /chats/${chatId}/messages`, { token: ben.token, body: { content: 'Hi' } });
  await as(`POST /chats/${chatId}/close`);
  await as(`POST /chats/${missed.chatId}/close`);
  await rate(5);
  await shows('Orders,1,0,1,0,,1', 'Invoices,1,1,1,1,5,0');
  const filtered = await report(owner, { department: invoices });
  expect([
    filtered.stars,
    filtered.perHour.reduce((sum, chats) => sum + chats),
    filtered.agents.map(({ agent }) => agent?.name),
  ]).toEqual([[0, 0, 0, 0, 1], 1, ['=Ben']]);
  expect(filtered.departments.map(({ department }) => department.name)).toEqual(['Invoices']);
  // The turn before stays where it was.
  await as(`POST /chats/${chatId}/reopen`);
  await as(`PUT /chats/${chatId}/department`, { department: orders });
  await as(`POST /chats/${chatId}/messages`, { content: 'One more thing' });
  await as(`POST /chats/${chatId}/close`);
  await shows('Orders,2,1,2,0,,1', 'Invoices,0,0,1,1,5,0');
  await as(`DELETE /sites/${site._id}/departments/${orders}`);
  await shows(',2,1,2,0,,1', 'Invoices,0,0,1,1,5,0');
  const headers = { Authorization: `Bearer ${owner.token}` };
  const file = await fetch(`${server.url}/api/reports/export?table=departments`, { headers });
  const lines = (await file.text()).trim().split('\r\n');
  expect(lines).toEqual([
    expect.stringContaining('"Department","Website","Chats","Chats answered"'),
    expect.stringMatching(/^"Deleted department","[^"]+","2","1",.*,"1"$/),
    expect.stringMatching(/^"Invoices","[^"]+","0","0",.*,"1","5","0"$/),
  ]);
});

test('the figures of a department are not seen from another site', async () => {
  const orders = await add('Orders');
  await begin(orders);
  await shows('Orders,1,0,0,0,,0');
  const stranger = await signUp(server.api);
  await createSite(server.api, stranger.token);
  const { departments, perHour } = await report(stranger, { department: orders });
  expect([departments, Math.max(...perHour)]).toEqual([[], 0]);
});
