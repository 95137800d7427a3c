import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site, VisitorSession } from '../../../contract.ts';
import { connection } from '../../platform/database/connection.ts';
import { HOUR_MS } from '../../platform/time/time.ts';
import { queueIdle } from '../../platform/work/keyedQueue.ts';
import { chatCache } from '../chats/model.ts';
import { siteCache } from '../sites/model.ts';
import { visitorCache } from './model.ts';

let server: TestServer;
let site: Site;
let session: VisitorSession;
let chatId: string;
let widget: Ear;

beforeAll(async () => {
  // No other work for the store: the counters of the usage wait, and the chats of machines are not indexed.
  server = await startServer({}, { usageEveryMs: HOUR_MS });
  const owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  session = (await server.api(`POST /widget/${site.widgetCode}/session`, { body: {} })).body.data;
  chatId = await say(server.api, site, session, 'Hello');
  widget = await connectVisitor(server.url, session.visitorToken);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

/** How often work waits for the store: commands on their way at the same time count as one round trip. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const client = connection.getClient();
  let [trips, underWay] = [0, 0];
  const onOut = () => {
    if (underWay++ === 0) trips++;
  };
  const onIn = () => underWay--;
  client.on('connectionCheckedOut', onOut).on('connectionCheckedIn', onIn);
  await work();
  client.off('connectionCheckedOut', onOut).off('connectionCheckedIn', onIn);
  return trips;
}

/** As after a second in which nothing was said. */
async function forgetAll(): Promise<void> {
  await queueIdle();
  visitorCache.forget(session.visitor._id);
  siteCache.forget(site._id);
  chatCache.forget(chatId);
}

test.each<[string, () => Promise<unknown>]>([
  ['the socket', () => widget.ask('send_message', { clientId: randomUUID(), content: 'Is it blue?' })],
  ['HTTP', () => say(server.api, site, session, 'Is it red?')],
])(
  'the message of a visitor without cached documents takes at most three round trips to the database over %s',
  async (_, send) => {
    await send();
    await forgetAll();
    // One to read visitor, site and chat, one to insert; the third may be the chat's row, which nobody waits for.
    expect(await roundTrips(send)).toBeLessThanOrEqual(3);
  },
);
