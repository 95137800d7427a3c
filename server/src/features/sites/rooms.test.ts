import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose, { Types } from 'mongoose';
import { Server } from 'socket.io';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, dial, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { connection } from '../../platform/database/connection.ts';
import { rooms, type StaffNamespace } from '../../platform/events/namespaces.ts';
import { disconnectStrangers, joinSites } from './broadcast.ts';
import { SiteModel } from './model.ts';

/** The store answers a list of more than a hundred in two parts, which leaves time for a removal in between. */
const OTHER_SITES = 120;
const ROUNDS = 2;
const SOCKETS = 15;

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
});
beforeEach(async () => {
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const removal = (member: Account) =>
  server.api(`DELETE /team/members/${member.user._id}`, { token: owner.token, body: { siteId: site._id } });

/** Has a visitor say something, and waits until the owner's dashboard has it. */
async function speak(content: string, ear: Ear): Promise<void> {
  await say(server.api, site, await visit(server.api, site), content);
  await until(async () => ear.heard('new_message').some(({ message }) => message.content === content));
}

/** Waits until a socket is in its rooms and has what was sent to it: an answer comes after both. */
const settled = (ear: Ear) => ear.ask('leave_chat', { chatId: 'a'.repeat(24) });

const hasHeard = (ear: Ear, content: string) =>
  ear.heard('new_message').some(({ message }) => message.content === content);

test('a member removed while sockets connect gets no events on any of them', async () => {
  const member = await signUp(server.api);
  const puppet = new Types.ObjectId();
  const team = [{ user: new Types.ObjectId(member.user._id), role: 'viewer' as const }];
  await SiteModel.insertMany(
    Array.from({ length: OTHER_SITES }, (_, n) => ({
      name: `Puppet ${n}`,
      domain: 'puppet.example.com',
      widgetCode: `puppet-${puppet}-${n}`,
      owner: puppet,
      team,
      createdAt: new Date(0),
    })),
  );
  const listening = await connectStaff(server.url, owner.token);
  for (let round = 0; round < ROUNDS; round++) {
    await join(site, member, 'agent');
    let removed = false;
    const ears: Ear[] = [];
    const keepConnecting = async () => {
      while (!removed) ears.push(await connectStaff(server.url, member.token));
    };
    const connecting = Array.from({ length: SOCKETS }, keepConnecting);
    await until(async () => ears.length >= SOCKETS);
    await removal(member);
    removed = true;
    await Promise.all(connecting);
    await Promise.all(ears.map(settled));
    await speak(`Secret ${round}`, listening);
    await Promise.all(ears.map(settled));
    expect(ears.filter((ear) => hasHeard(ear, `Secret ${round}`)).length).toBe(0);
    for (const { socket } of ears) socket.disconnect();
  }
});

test('a chat opened with an upper-case id gets its events', async () => {
  const member = await signUp(server.api);
  await join(site, member, 'agent');
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  const [ear, other] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, member.token)];
  expect((await ear.ask('open_chat', { chatId: chatId.toUpperCase() })).ok).toBe(true);
  await other.ask('open_chat', { chatId });
  await until(async () => ear.heard('viewers').at(-1)?.users.length === 2);
  await ear.ask('leave_chat', { chatId: chatId.toUpperCase() });
  await until(async () => other.heard('viewers').at(-1)?.users.length === 1);
});

test('a missed removal is found: only people who are not on the team are disconnected', async () => {
  const member = await signUp(server.api);
  await join(site, member, 'agent');
  const http = createServer().listen(0);
  const namespace: StaffNamespace = new Server(http).of('/');
  namespace.use((socket, next) => {
    socket.data.userId = socket.handshake.auth.token;
    next();
  });
  namespace.on('connection', (socket) => joinSites(socket));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const [stays, goes] = [await dial(url, { token: owner.user._id }), await dial(url, { token: member.user._id })];
  await until(async () => namespace.adapter.rooms.get(rooms.site(site._id))?.size === 2);
  await disconnectStrangers(namespace);
  expect([stays.socket.connected, goes.socket.connected]).toEqual([true, true]);

  // As another process would, of which this one hears nothing.
  await SiteModel.collection.updateOne({ _id: new Types.ObjectId(site._id) }, {
    $pull: { team: { user: new Types.ObjectId(member.user._id) } },
  } as object);
  await until(async () => {
    await disconnectStrangers(namespace);
    return !goes.socket.connected;
  });
  expect(stays.socket.connected).toBe(true);
  hangUp();
  http.closeAllConnections();
  http.close();
});

test('a dashboard that could not join its rooms is disconnected, so that it reconnects', async () => {
  await server.api('GET /auth/profile', { token: owner.token });
  // Who it is is still known; which sites there are cannot be read.
  const client = connection.getClient();
  await client.close();
  try {
    const ear = await connectStaff(server.url, owner.token);
    await until(async () => !ear.socket.connected);
  } finally {
    await client.connect();
  }
});

test('a change of status reads the sites of its agent once for all who tell of it', async () => {
  const member = await signUp(server.api);
  const other = await createSite(server.api, owner.token, 'Other Shop');
  for (const one of [site, other]) await join(one, member, 'agent');
  const [ear, own] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, member.token)];
  const told = (event: string) =>
    ear
      .heard(event)
      .filter(({ userId }) => userId === member.user._id)
      .map(({ siteId }) => siteId);
  await until(async () => told('user_online').length === 2);
  let reads = 0;
  mongoose.set('debug', (collection: string, command: string, filter?: object) => {
    if (collection === 'sites' && command === 'find' && filter && 'team.user' in filter) reads++;
  });
  await own.ask('set_availability', { online: false });
  await until(async () => told('user_offline').length === 2);
  mongoose.set('debug', false);
  expect(told('user_offline').toSorted()).toEqual([site._id, other._id].toSorted());
  expect(reads).toBe(1);
});
