// The demo on the current build: a server with a temporary data folder and a week of chats, and a shop on another origin.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelStandIn } from '../model/standIn.js';
import { startServer } from './server.js';
import { startShop } from './shop.js';
import { TEAM } from './week/people.js';
import { playWeek } from './week/play.js';
import { PASSWORD } from './week/setUp.js';

// A model that knows nothing: it quotes the article that was found.
const model = await startModelStandIn();
const shop = await startShop();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-demo-'));
const settings = {
  // A free port, so that a session of an earlier demo in the browser does not apply.
  PORT: '0',
  DATA_DIR: dataDir,
  AI_URL: model.url,
  AI_MODEL: 'stand-in:slow',
  WEBHOOK_HOSTS: new URL(shop.eventsUrl).host,
};
let server;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));
try {
  console.log('\n  Playing a week of chats …');
  server = startServer(settings, { past: true });
  model.use('quote');
  const { widgetCode } = await playWeek({ origin: await server.origin, setTime: server.setTime, shop });
  model.use();
  await server.stop();
  if (!stopping) {
    server = startServer(settings);
    const origin = await server.origin;
    server.ended.then(() => stop(1));
    shop.scriptTag = `<script src="${origin}/widget.js" data-site-id="${widgetCode}" async></script>`;
    announce(origin);
  }
} catch (error) {
  if (!stopping) console.error(`The demo cannot start: ${error.message}`);
  await stop(1);
}

function announce(origin) {
  console.log(`
  A demo of Parley. All its data is deleted when you stop it with Ctrl-C.

  Dashboard   ${origin}/dashboard/inbox
  Email       ${TEAM.Mara.email} (the owner; ${TEAM.Jonas.email} and ${TEAM.Salma.email} are agents)
  Password    ${PASSWORD}
  Shop        ${shop.url} (another origin, with the widget on its page)
  Help centre ${origin}/help/harbour-lanterns

  While nobody is signed in, an assistant answers in the shop: it quotes the help centre. Sign in, and visitors get you.
`);
}

/** Stops everything and deletes the data. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  shop.stop();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}
