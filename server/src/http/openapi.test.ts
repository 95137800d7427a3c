import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedServer, type TestServer } from '../../test/harness.ts';
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
