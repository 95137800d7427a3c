import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, expect, test } from 'vitest';
import { createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import { rooms, type StaffNamespace } from '../../platform/events/namespaces.ts';
import { boundConnections, PEER_TIMEOUTS_MS } from '../../platform/http/limits/connectionLimits.ts';
import { createLimits } from '../../platform/http/limits/limits.ts';
import { authSocket, guardStaff, routeStaffEvents } from '../auth/gateway.ts';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { createSessions } from '../auth/sessions.ts';
import { createPresence } from '../presence/presence.ts';
import { joinSites } from '../sites/broadcast.ts';
import { broadcastTeams } from '../team/broadcast.ts';
import { createUsage } from '../usage/counter.ts';
import { visitorDetails } from '../visitors/people/people.ts';
import { createTyping } from './live/live.ts';
import { chatSocket } from './socket.ts';

const server = await startServer();
const http = createServer().listen(0);
const limits = createLimits({ on: false });
const usage = await createUsage({ limits });
const presence = createPresence({ graceMs: 0 });
const typing = createTyping();
const sessions = createSessions({ secret: 'for this test only', now: Date.now });
const io = new Server(http);
const namespace: StaffNamespace = io.of('/');
const report = () => {};
const stops = [
  boundConnections(io, { limits, trustsProxy: () => false, stuck: PEER_TIMEOUTS_MS.stuck }),
  guardStaff(namespace, { sessions }),
  broadcastTeams(namespace),
  typing.stop,
  usage.stop,
];
namespace.on('connection', (socket) => {
  const router = routeStaffEvents(socket, { sessions, limits, report, metrics: { acked: report } }, joinSites(socket));
  authSocket(router, { presence, sessions });
  chatSocket(router, { presence, limits, usage, typing, visitorDetails });
});

afterAll(async () => {
  hangUp();
  for (const stop of stops) await stop();
  http.closeAllConnections();
  http.close();
  await server.stop();
});

test("a member removed while joining a chat's room neither sees the chat nor gets its events", async () => {
  const [owner, member] = [await signUp(server.api), await signUp(server.api)];
  const site = await createSite(server.api, owner.token);
  await join(site, member, 'agent');
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  const room = rooms.chat(site._id, chatId);
  const account = (await UserModel.findById(member.user._id).lean<UserDoc>()) as UserDoc;
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const { ask } = await connectStaff(url, await sessions.open(account, 'A browser'));
  expect((await ask('open_chat', { chatId })).ok).toBe(true);
  await ask('leave_chat', { chatId });

  // Joining takes a while where rooms are shared with other processes.
  const addAll = namespace.adapter.addAll.bind(namespace.adapter);
  namespace.adapter.addAll = async (id, names) => {
    const body = { siteId: site._id };
    if (names.has(room)) await server.api(`DELETE /team/members/${member.user._id}`, { token: owner.token, body });
    return addAll(id, names);
  };
  expect(await ask('open_chat', { chatId })).toMatchObject({ ok: false, code: 'CHAT_NOT_FOUND' });
  await until(async () => !namespace.adapter.rooms.has(room));
});
