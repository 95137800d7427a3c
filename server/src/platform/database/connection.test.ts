import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { UserModel } from '../../features/auth/model.ts';
import { countUpTo, findByIds, isAny, sendWrites } from './connection.ts';

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

test('the documents of a filter are counted up to a limit, with an index and without one', async () => {
  const [one, two] = [new Types.ObjectId(), new Types.ObjectId()];
  expect(await isAny('few', { _id: one })).toBe(false);
  await sendWrites({ insert: 'few', documents: [one, two].map((_id) => ({ _id, size: 7 })) });
  for (const filter of [{ _id: { $in: [one, two] } }, { size: 7 }]) {
    expect(await countUpTo(1, 'few', filter)).toBe(1);
    expect(await countUpTo(9, 'few', filter)).toBe(2);
  }
  expect(await isAny('few', { _id: new Types.ObjectId() })).toBe(false);
  expect(await isAny('few', { size: 8 })).toBe(false);
});

test('a filter with a field that the schema does not have is refused, and matches nothing', async () => {
  await signUp(server.api);
  const mistyped = { emial: 'nobody@example.com' };
  await expect(UserModel.deleteMany(mistyped as object)).rejects.toThrow(/emial/);
  expect(await UserModel.countDocuments()).toBe(1);
});
