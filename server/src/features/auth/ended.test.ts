import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp, until } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { dial, hangUp } from '#test/sockets';
import { rooms, type StaffNamespace } from '../../platform/events/namespaces.ts';
import { disconnectExpired, guardStaff } from './gateway.ts';
import { type UserDoc, UserModel } from './model.ts';
import { createSessions } from './sessions.ts';

const HOUR_MS = 3_600_000;

let server: TestServer;
let http: HttpServer;

beforeAll(async () => {
  server = await sharedServer();
  http = createServer().listen(0);
});
afterAll(async () => {
  hangUp();
  http.closeAllConnections();
  http.close();
  await server.stop();
});

test('a socket that only listens is disconnected when its session expires', async () => {
  let ahead = 0;
  const sessions = createSessions({ secret: 'for this test only', now: () => Date.now() + ahead });
  const namespace: StaffNamespace = new Server(http).of('/');
  const stop = guardStaff(namespace, { sessions });
  namespace.on('connection', (socket) => socket.join(rooms.session(socket.data.sessionId)));
  const { user } = await signUp(server.api);
  const account = (await UserModel.findById(user._id).lean<UserDoc>()) as UserDoc;
  const connect = async () =>
    dial(`http://localhost:${(http.address() as AddressInfo).port}`, {
      token: await sessions.open(account, 'A browser'),
    });

  const old = await connect();
  ahead = (account.sessionTimeoutHours - 1) * HOUR_MS;
  const fresh = await connect();
  await disconnectExpired(namespace, sessions);
  ahead += 2 * HOUR_MS;
  await disconnectExpired(namespace, sessions);
  await until(async () => !old.socket.connected);
  expect(old.heard('session_ended')).toEqual([{ reason: 'expired' }]);
  expect([fresh.socket.connected, fresh.heard('session_ended')]).toEqual([true, []]);
  stop();
});
