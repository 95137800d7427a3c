import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type ProxiedStore, startProxiedStore } from '#test/proxiedStore';
import { type Document, documentOf } from '#test/wireMessages';

/** What a database says of a command that may succeed in a moment. */
const PASSING = [
  { code: 50_463_173, errmsg: 'the database system is starting up' },
  { code: 16_908_741, errmsg: 'terminating connection due to administrator command' },
  { code: 1, errmsg: 'the database system is shutting down' },
  { code: 1, errmsg: 'FATAL: the database system is in recovery mode' },
  { code: 1, errmsg: 'error connecting to server: Connection refused (os error 111)' },
  { code: 1, errmsg: 'connection closed' },
  { code: 1, errmsg: 'error communicating with the server: Connection reset by peer (os error 104)' },
  { code: 112, errmsg: 'WriteConflict error', codeName: 'WriteConflict' },
  { code: 10_107, errmsg: 'not primary', codeName: 'NotWritablePrimary' },
];

let store: ProxiedStore;
let server: TestServer;
let refused: { name: string; answer: Document; left: number } | null = null;

beforeAll(async () => {
  store = await startProxiedStore(() => ({
    asked(bytes) {
      const command = documentOf(bytes);
      const [verb = ''] = Object.keys(command);
      if (`${verb} ${command[verb]}` !== refused?.name || refused.left === 0) return bytes;
      refused.left--;
      return refused.answer;
    },
  }));
  server = await startServer({ mongodbUri: `mongodb://${store.address}/parley?directConnection=true` });
});
afterAll(async () => {
  await server.stop();
  await store.stop();
});

test.each(PASSING)('what fails for a moment ($errmsg) is tried again, or answered with 503', async (said) => {
  const answer = { ok: 0, ...said };
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const session = await visit(server.api, site);
  const body = { clientId: randomUUID(), content: 'Hello?' };
  refused = { name: 'insert messages', answer, left: 2 };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, { token: session.visitorToken, body });
  expect([sent.status, refused.left]).toEqual([201, 0]);
  refused = { name: 'findAndModify sites', answer, left: Number.POSITIVE_INFINITY };
  const changed = await server.api(`PATCH /sites/${site._id}`, { token, body: { name: 'Elm' } });
  expect([changed.status, changed.body.code]).toEqual([503, 'UNAVAILABLE']);
  refused = null;
});

test('any other failure is tried once and is a fault', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const answer = { ok: 0, code: 1, errmsg: 'relation does not exist' };
  refused = { name: 'findAndModify sites', answer, left: 1 };
  const changed = await server.api(`PATCH /sites/${site._id}`, { token, body: { name: 'Elm' } });
  expect([changed.status, changed.body.code]).toEqual([500, 'INTERNAL']);
  refused = null;
});
