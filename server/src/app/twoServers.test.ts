import { afterEach, expect, test } from 'vitest';
import { createSite, newChat, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import { events } from '../platform/events/index.ts';

const running: TestServer[] = [];
afterEach(async () => {
  hangUp();
  for (const server of running.splice(0)) await server.stop();
});

async function start(): Promise<TestServer> {
  const server = await startServer();
  running.push(server);
  return server;
}

/** A server's first account, with a site and a dashboard. */
async function settle({ api, url }: TestServer, name: string) {
  const owner = await signUp(api, name);
  const site = await createSite(api, owner.token, `${name}'s shop`);
  return { owner, site, dashboard: await connectStaff(url, owner.token) };
}

test('two servers in one process have separate data and events', async () => {
  const [one, two] = [await start(), await start()];
  const told: string[] = [];
  const stopListening = events.on('messageAdded', ({ message }) => {
    told.push(message.content);
  });
  const ana = await settle(one, 'Ana');
  const ben = await settle(two, 'Ben');
  // Each is the first account of its server.
  expect([ana.owner.user.role, ben.owner.user.role]).toEqual(['parley_admin', 'parley_admin']);

  const [atAna, atBen] = await Promise.all([
    newChat(one.api, ana.site, ana.owner.token, 'To Ana'),
    newChat(two.api, ben.site, ben.owner.token, 'To Ben'),
  ]);
  for (const { dashboard } of [ana, ben]) await until(async () => dashboard.heard('chat_updated').length > 0);
  const heardBy = ({ dashboard }: typeof ana) => dashboard.heard('new_message').map(({ message }) => message.content);
  expect([heardBy(ana), heardBy(ben)]).toEqual([['To Ana'], ['To Ben']]);
  expect(told).toEqual(['To Ana']);

  const { email } = ana.owner.user;
  expect((await two.api('POST /auth/login', { body: { email, password: PASSWORD } })).status).toBe(401);
  expect((await two.api('GET /sites', { token: ana.owner.token })).status).toBe(401);
  expect((await two.api(`GET /chats/${atAna._id}`, { token: ben.owner.token })).status).toBe(404);
  const found = await two.api('GET /chats', { token: ben.owner.token });
  expect(found.body.data.chats.map(({ _id }: { _id: string }) => _id)).toEqual([atBen._id]);
  stopListening();
});

test('a server continues when another one in its process stops', async () => {
  const [one, two] = [await start(), await start()];
  const ben = await settle(two, 'Ben');
  await one.stop();
  running.splice(0, 1);
  const three = await start();
  const cleo = await settle(three, 'Cleo');
  await newChat(two.api, ben.site, ben.owner.token, 'Still there?');
  await newChat(three.api, cleo.site, cleo.owner.token, 'And here?');
  expect(ben.dashboard.heard('new_message').map(({ message }) => message.content)).toEqual(['Still there?']);
});
