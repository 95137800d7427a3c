import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedServer, type TestServer } from '#test/harness';
import { catalogue } from './catalogue.ts';

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.stop());

test('the document has every registered call, built from its validation rules', async () => {
  const { status, body } = await server.api('GET /openapi.json');
  expect(status).toBe(200);
  expect(body.openapi).toBe('3.1.0');
  const told = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([, methods]) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(told.sort()).toEqual([...catalogue.calls.keys()].sort());
  expect(told.length).toBeGreaterThan(20);

  const { post } = body.paths['/sites'];
  expect(post.security).toEqual([{ staff: [] }, { apiKey: ['manage'] }]);
  expect(body.paths['/auth/profile'].get.security).toEqual([{ staff: [] }]);
  const schema = post.requestBody.content['application/json'].schema;
  expect(schema.required).toEqual(['name', 'domain']);
  expect(schema.properties.customization.properties.color).toEqual({
    type: 'string',
    pattern: '^#[0-9a-fA-F]{6}$',
    maxLength: 7,
  });
  expect(body.paths['/auth/login'].post.security).toEqual([]);
  expect(body.paths['/widget/{widgetCode}/messages'].post.security).toEqual([{ visitor: [] }]);
  const upload = body.paths['/chats/{id}/files'].post;
  expect(upload.requestBody.content['*/*'].schema).toEqual({ type: 'string', format: 'binary' });
  expect(upload.parameters.map(({ name }: { name: string }) => name)).toEqual(['id', 'name', 'clientId']);
  expect(body.paths['/chats'].get.parameters.map(({ name }: { name: string }) => name)).toContain('status');
});

test.each(['/openapi.json', '/docs', '/docs/api-endpoints'])('%s is made once, in all its encodings', async (path) => {
  const get = async (headers: Record<string, string>) => {
    const asked = request(server.url, { path: `/api${path}`, headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  };
  const plain = await get({});
  const added = { audience: 'anyone', scope: undefined } as const;
  catalogue.calls.set('GET /added-later', added);
  const again = await get({});
  catalogue.calls.delete('GET /added-later');
  expect(again.bytes.equals(plain.bytes)).toBe(true);
  const [br, gz] = [await get({ 'Accept-Encoding': 'gzip, br' }), await get({ 'Accept-Encoding': 'gzip' })];
  expect([br.headers['content-encoding'], gz.headers['content-encoding']]).toEqual(['br', 'gzip']);
  expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
  expect(gunzipSync(gz.bytes).equals(plain.bytes)).toBe(true);
  const kept = await get({ 'If-None-Match': String(plain.headers.etag) });
  expect([kept.status, kept.bytes.length]).toEqual([304, 0]);
  const head = await fetch(`${server.url}/api${path}`, { method: 'HEAD' });
  expect(head.status).toBe(200);
});

test('a form of a stranger is refused before it is read when it is too large', async () => {
  for (const form of ['login', 'register', 'forgot', 'reset']) {
    const body = { email: 'a@example.com', password: 'x'.repeat(50_000) };
    expect((await server.api(`POST /auth/${form}`, { body })).status).toBe(413);
  }
});
