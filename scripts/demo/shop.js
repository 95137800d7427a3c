import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, 'shop.html');

/** Starts the shop on an origin of its own. Its pages have the widget once `scriptTag` is set; its webhook is at `eventsUrl`. */
export async function startShop() {
  const shop = { url: '', eventsUrl: '', scriptTag: '', stop };
  const server = createServer((request, response) => {
    // What Parley reports to its webhook.
    if (request.method === 'POST') {
      request.resume();
      return void response.writeHead(204).end();
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    // Read for each request, so that changes show.
    response.end(readFileSync(PAGE, 'utf8').replace('<!-- the script tag -->', () => shop.scriptTag));
  });
  function stop() {
    server.close();
    server.closeAllConnections();
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  shop.url = `http://localhost:${port}`;
  shop.eventsUrl = `http://127.0.0.1:${port}/parley-events`;
  return shop;
}
