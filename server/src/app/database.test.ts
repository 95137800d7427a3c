import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { smallDisk } from '#test/disk';
import { type Account, createSite, newChat, PASSWORD, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Site, VisitorSession } from '../../contract.ts';

const MINUTE_MS = 60_000;
/** More than any disk has: what a nearly full one is like. */
const EVERYTHING = 2 ** 52;
/** Room for the usual reserve and little else. */
const SMALL_DISK_MB = 112;
/** A disk that a few hundred messages fill, with a reserve to match. */
const TINY_DISK_MB = 22;
const TINY_RESERVE_BYTES = 16 * 2 ** 20;
/** Too little for anything to be written. */
const SCRAPS_BYTES = 4 * 2 ** 20;
const DISK_FILLS_MS = 240_000;

let undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-disk-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string, diskReserve?: number): Promise<TestServer> {
  const server = await startServer({ dataDir, mongodbUri: null, ...(diskReserve && { diskReserve }) });
  undo.push(() => server.stop());
  return server;
}

const sendTo = ({ api }: TestServer, site: Site, { visitorToken: token }: VisitorSession, content = 'Are you there?') =>
  api(`POST /widget/${site.widgetCode}/messages`, { token, body: { clientId: randomUUID(), content } });

/** All that makes room, one after the other; gives the statuses. */
async function makeRoom({ api }: TestServer, { user }: Account, site: Site): Promise<Record<string, number>> {
  const credentials = { email: user.email, password: PASSWORD };
  const signedIn = await api('POST /auth/login', { body: credentials });
  const { token } = signedIn.body.data;
  const { body } = await api(`GET /chats/site/${site._id}`, { token });
  const [first, second] = body.data.chats;
  const settings = { retentionDays: 30 };
  const calls: Record<string, [string, object?]> = {
    retention: [`PATCH /sites/${site._id}`, { settings }],
    deleteChat: [`DELETE /chats/${first._id}`],
    deleteVisitor: [`DELETE /visitors/${second.visitorId}`],
    widgetOff: [`PATCH /sites/${site._id}`, { widgetEnabled: false }],
    widgetOn: [`PATCH /sites/${site._id}`, { widgetEnabled: true }],
    logOut: ['POST /auth/logout'],
  };
  const statuses: Record<string, number> = { logIn: signedIn.status };
  for (const [name, [call, payload]] of Object.entries(calls))
    statuses[name] = (await api(call, { token, ...(payload && { body: payload }) })).status;
  return statuses;
}

const ALL_WELL = {
  logIn: 200,
  retention: 200,
  deleteChat: 200,
  deleteVisitor: 200,
  widgetOff: 200,
  widgetOn: 200,
  logOut: 200,
};

describe('while the disk is nearly full', () => {
  test('new data is refused with a message, but deleting works, also after a restart', async () => {
    const dataDir = freshFolder();
    const before = await start(dataDir);
    const owner = await signUp(before.api);
    const site = await createSite(before.api, owner.token);
    for (let n = 0; n < 3; n++) await newChat(before.api, site, owner.token);
    const session = await visit(before.api, site);
    await sendTo(before, site, session, 'kept');
    await before.stop();
    undo.pop();

    const server = await start(dataDir, EVERYTHING);
    const refused = await sendTo(server, site, session);
    expect(refused).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } });
    expect(refused.body.message).toMatch(/no storage left/);
    const { body } = await server.api(`GET /chats/site/${site._id}`, { token: owner.token });
    expect(body.data.chats).toHaveLength(4);
    expect(await makeRoom(server, owner, site)).toEqual(ALL_WELL);
    const another = await server.api(`DELETE /sites/${site._id}`, { token: owner.token, body: { name: site.name } });
    expect(another.status).toBe(200);
  });

  test('reading still works when other programs have filled the disk, also for old sessions', async ({ skip }) => {
    const disk = smallDisk(SMALL_DISK_MB);
    if (!disk) return skip('only root may mount a small disk');
    undo.push(disk.remove);
    const server = await start(disk.folder);
    const owner = await signUp(server.api);
    const site = await createSite(server.api, owner.token);
    const chat = await newChat(server.api, site, owner.token);

    const freeAgain = disk.fill((free) => free - SCRAPS_BYTES);
    const call = `DELETE /chats/${chat._id}`;
    await until(async () => (await server.api(call, { token: owner.token })).status === 503);
    server.advance(2 * MINUTE_MS);
    expect((await server.api('GET /chats', { token: owner.token })).status).toBe(200);

    freeAgain();
    await until(async () => (await server.api(call, { token: owner.token })).status === 200);
  });

  test(
    'deleting works on a full disk, and makes room for new messages',
    async ({ skip }) => {
      const disk = smallDisk(TINY_DISK_MB);
      if (!disk) return skip('only root may mount a small disk');
      undo.push(disk.remove);
      const server = await start(disk.folder, TINY_RESERVE_BYTES);
      const owner = await signUp(server.api);
      const site = await createSite(server.api, owner.token);
      const words = Array.from({ length: 900 }, (_, n) => `w${n.toString(36)}`).join(' ');

      const sessions: VisitorSession[] = [];
      let status = 201;
      for (let n = 0; status === 201; n++) {
        const session = n % 10 === 0 ? await visit(server.api, site) : sessions.at(-1);
        if (!session?.visitorToken) break;
        if (n % 10 === 0) sessions.push(session);
        const answers = await Promise.all(
          Array.from({ length: 10 }, () =>
            sendTo(server, site, session, words.replaceAll('w', `w${n}`).slice(0, 4900)),
          ),
        );
        status = Math.max(...answers.map((answer) => answer.status));
      }
      const [first] = sessions;
      expect(first && (await sendTo(server, site, first)).status).toBe(503);

      expect(await makeRoom(server, owner, site)).toEqual(ALL_WELL);
      const { body } = await server.api('POST /auth/login', { body: { email: owner.user.email, password: PASSWORD } });
      const { token } = body.data;
      const list = await server.api(`GET /chats/site/${site._id}?limit=100`, { token });
      for (const { _id } of list.body.data.chats)
        expect((await server.api(`DELETE /chats/${_id}`, { token })).status).toBe(200);
      await until(async () => (await visit(server.api, site))?.visitorToken);
      const again = await visit(server.api, site);
      await until(async () => (await sendTo(server, site, again)).status === 201);
    },
    DISK_FILLS_MS,
  );
});
