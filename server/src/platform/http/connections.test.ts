import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '#test/harness';

const MAX = 3;
const ASK = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n';

let server: TestServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** Opens a connection from an address of this machine and asks for something; gives the answer, or '' where it was closed. */
async function answerFrom(localAddress: string): Promise<string> {
  const { hostname: host, port } = new URL(server.url);
  const socket = connect({ host, port: Number(port), localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined).write(ASK);
  const [heard = ''] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])]);
  return String(heard).split('\r\n', 1)[0] ?? '';
}

// macOS has one loopback address.
test.skipIf(process.platform === 'darwin')(
  'the number of connections of one address is limited, independently of other addresses',
  async () => {
    server = await startServer({ rateLimits: true, trustProxy: false, limits: { connectionsPerIp: MAX } });
    for (let n = 0; n < MAX; n++) expect(await answerFrom('127.0.0.2')).toBe('HTTP/1.1 200 OK');
    expect(await answerFrom('127.0.0.2')).toBe('');
    expect(await answerFrom('127.0.0.3')).toBe('HTTP/1.1 200 OK');
    const [first] = sockets;
    first?.destroy();
    await expect.poll(() => answerFrom('127.0.0.2')).toBe('HTTP/1.1 200 OK');
  },
);

test('connections of a trusted proxy are not counted', async () => {
  server = await startServer({ rateLimits: true, trustProxy: ['loopback'], limits: { connectionsPerIp: MAX } });
  for (let n = 0; n <= MAX; n++) expect(await answerFrom('127.0.0.1')).toBe('HTTP/1.1 200 OK');
});
