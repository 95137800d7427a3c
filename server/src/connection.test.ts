import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../test/factories.ts';
import { startServer, type TestServer } from '../test/harness.ts';
import { UserModel } from './auth/model.ts';
import { findByIds, hasAny, sendWrites } from './connection.ts';

const LARGE_BYTES = 7 * 2 ** 20;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('documents are found by their ids, also if they do not fit in one answer', async () => {
  const ids = Array.from({ length: 5 }, () => new Types.ObjectId());
  for (const _id of ids) {
    const documents = [{ _id, text: 'x'.repeat(LARGE_BYTES) }];
    expect(await sendWrites({ insert: 'large', documents })).toMatchObject({ n: 1, writeErrors: [] });
  }
  const found = await findByIds<{ _id: Types.ObjectId; text: string }>('large', [...ids, new Types.ObjectId()]);
  expect(found.map(({ _id }) => _id.toHexString()).sort()).toEqual(ids.map((id) => id.toHexString()).sort());
  expect(found.every(({ text }) => text.length === LARGE_BYTES)).toBe(true);
});

test('a refused document does not stop the others of a batch', async () => {
  const [one, two] = [{ _id: new Types.ObjectId() }, { _id: new Types.ObjectId() }];
  const { n, writeErrors } = await sendWrites({ insert: 'small', documents: [one, one, two] });
  expect(n).toBe(2);
  expect(writeErrors).toMatchObject([{ index: 1, code: 11_000 }]);
});

test('it is known whether any document matches', async () => {
  const _id = new Types.ObjectId();
  expect(await hasAny('few', '_id', [_id])).toBe(false);
  await sendWrites({ insert: 'few', documents: [{ _id }, { _id: new Types.ObjectId() }] });
  expect(await hasAny('few', '_id', [_id, new Types.ObjectId()])).toBe(true);
  expect(await hasAny('few', '_id', [new Types.ObjectId()])).toBe(false);
});

test('a filter with a field that the schema does not have is refused, and matches nothing', async () => {
  await signUp(server.api);
  const mistyped = { emial: 'nobody@example.com' };
  await expect(UserModel.deleteMany(mistyped as object)).rejects.toThrow(/emial/);
  expect(await UserModel.countDocuments()).toBe(1);
});
