// A round-robin proxy: every request goes to the next node that is ready. With a cookie, a browser stays with its node.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';

const CHECK_EVERY_MS = 1_000;
const CHECK_TIMEOUT_MS = 2_000;
const COOKIE = /(?:^|; )node=(\d+)/;

/**
 * Starts the proxy on this machine.
 * @param {number[]} ports where the nodes listen @param {{ port?: number, sticky?: boolean }} options
 */
export async function startProxy(ports, { port = 0, sticky = false } = {}) {
  const nodes = ports.map((at) => ({ port: at, isReady: true, isDropped: false }));
  /** @type {Set<import('node:net').Socket>} */
  const upgraded = new Set();
  let turn = 0;

  /** The nodes in the order in which this request tries them. @param {string | undefined} cookies */
  function candidates(cookies = '') {
    const from = (sticky && cookies.match(COOKIE)?.[1]) || turn++;
    const all = nodes.map((_, i) => nodes[(Number(from) + i) % nodes.length]).filter(({ isDropped }) => !isDropped);
    const ready = all.filter(({ isReady }) => isReady);
    return ready.length > 0 ? ready : all;
  }

  /** Connects to the first node that accepts, and marks those that refuse. @param {import('node:http').IncomingMessage} asked */
  async function reach({ headers }) {
    for (const node of candidates(headers.cookie)) {
      const socket = connect(node.port, '127.0.0.1').setNoDelay(true);
      try {
        await once(socket, 'connect');
        return { socket, node };
      } catch {
        node.isReady = false;
      }
    }
    return null;
  }

  const server = createServer(async (asked, answer) => {
    const reached = await reach(asked);
    if (!reached) return void answer.writeHead(503).end();
    const { socket, node } = reached;
    if (sticky) answer.setHeader('Set-Cookie', `node=${nodes.indexOf(node)}; Path=/; HttpOnly; SameSite=Lax`);
    const { method, url } = asked;
    const passed = request({ method, path: url, headers: forwarded(asked), createConnection: () => socket });
    passed.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
      got.on('error', () => answer.destroy());
    });
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    answer.on('close', () => socket.destroy());
    asked.pipe(passed);
  });

  server.on('upgrade', async (asked, near, head) => {
    near.on('error', () => near.destroy());
    const far = (await reach(asked))?.socket;
    if (!far) return void near.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    const lines = Object.entries(forwarded(asked)).map(([name, value]) => `${name}: ${value}\r\n`);
    far.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    far.write(head);
    near.pipe(far).pipe(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      upgraded.add(from);
      from.on('error', () => to.destroy()).on('close', () => upgraded.delete(from) && to.destroy());
    }
  });

  async function check() {
    const signal = () => AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const asks = nodes.map(async (node) => {
      const answer = await fetch(`http://127.0.0.1:${node.port}/readyz`, { signal: signal() }).catch(() => null);
      node.isReady = answer?.ok === true;
    });
    await Promise.all(asks);
  }
  const checking = setInterval(check, CHECK_EVERY_MS);

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${server.address().port}`,
    /** Sends nothing more to this node, or uses it again; its open connections stay. @param {number} index @param {boolean} dropped */
    drop(index, dropped = true) {
      nodes[index].isDropped = dropped;
    },
    async stop() {
      clearInterval(checking);
      server.close();
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    },
  };
}

/** The headers of a request with the address that it comes from. @param {import('node:http').IncomingMessage} asked */
function forwarded({ headers, socket }) {
  const before = headers['x-forwarded-for'];
  const address = socket.remoteAddress ?? '';
  return { ...headers, 'x-forwarded-for': before ? `${before}, ${address}` : address };
}
