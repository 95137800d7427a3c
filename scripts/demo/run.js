// The demo on the current build: a server with a temporary data folder, and a shop on another origin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startModelStandIn } from '../model/standIn.js';
import { ROOT } from '../setup.js';
import { openHelpCenter } from './help.js';

const OWNER = { name: 'Demo Owner', email: 'demo@example.com', password: 'throw-away-demo-42' };
const SITE = { name: 'Harbour Lanterns', domain: 'localhost', customization: { color: '#0f766e' } };
const SHOP_PAGE = join(import.meta.dirname, 'shop.html');

const { PATH, SystemRoot } = process.env;
// A model that knows nothing: it quotes the article that was found.
const model = await startModelStandIn();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-demo-'));
const server = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'server/dist/main.js')], {
  // A free port, so that a session of an earlier demo in the browser does not apply. Nothing else of the environment: with a
  // MONGODB_URI, the demo would write into a real database.
  env: {
    PATH,
    SystemRoot,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    AI_URL: model.url,
    AI_MODEL: 'stand-in:slow',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(server, 'exit');
const shop = createServer();
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));
ended.then(() => stop(1));
try {
  const origin = await originOf(server);
  const url = await openShop(await openSite(origin));
  console.log(`
  A demo of Parley. All its data is deleted when you stop it with Ctrl-C.

  Dashboard   ${origin}/dashboard/inbox
  Email       ${OWNER.email}
  Password    ${OWNER.password}
  Shop        ${url} (another origin, with the widget on its page)
  Help centre ${origin}/help/harbour-lanterns

  While nobody is signed in, an assistant answers in the shop: it quotes the help centre. Sign in, and visitors get you.
`);
} catch (error) {
  console.error(`The demo cannot start: ${error.message}`);
  await stop(1);
}

/** The address that the server prints when it is ready. */
function originOf({ stdout }) {
  return new Promise((found) => {
    // Read everything: a full pipe would block the server.
    createInterface({ input: stdout }).on('line', (line) => {
      const [address] = line.match(/http:\S+/) ?? [];
      if (address) found(address);
    });
  });
}

/** Registers the owner, adds the website and writes its help articles, as the dashboard does. @returns the website's script tag */
async function openSite(origin) {
  const { token } = await call('POST', `${origin}/api/auth/register`, { ...OWNER, confirmPassword: OWNER.password });
  const { site } = await call('POST', `${origin}/api/sites`, SITE, token);
  await openHelpCenter((method, path, body) => call(method, `${origin}/api${path}`, body, token), site._id);
  const assistant = { step: 'answer', when: 'offline', name: 'Lantern Assistant', rev: 0 };
  await call('PATCH', `${origin}/api/sites/${site._id}/assistant`, assistant, token);
  return `<script src="${origin}/widget.js" data-site-id="${site.widgetCode}" async></script>`;
}

/** Serves the page; it is read for each request, so that changes show. @returns its address */
async function openShop(scriptTag) {
  shop.on('request', (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(readFileSync(SHOP_PAGE, 'utf8').replace('<!-- the script tag -->', () => scriptTag));
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  return `http://localhost:${shop.address().port}`;
}

async function call(method, url, body, token) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const { success, data, message } = await response.json();
  if (!success) throw new Error(message);
  return data;
}

/** Stops both servers and deletes the data. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  shop.close();
  shop.closeAllConnections();
  server.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}
