import mongoose, { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '#test/harness';
import { ProgressModel } from '../../features/search/model.ts';
import { deleteInBatches } from './deletes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('deletes all matching documents in batches of limited size, and no others', async () => {
  const prefix = new Types.ObjectId().toHexString();
  const rows = Array.from({ length: 1_700 }, (_, i) => ({ _id: `${prefix}:${i}`, at: new Date() }));
  await ProgressModel.insertMany([...rows, { _id: 'kept', at: new Date() }]);
  const sizes: number[] = [];
  mongoose.set('debug', (collection: string, method: string, filter: { _id: { $in: unknown[] } }) => {
    // The server may delete from other collections meanwhile.
    if (method === 'deleteMany' && collection === ProgressModel.collection.name) sizes.push(filter._id.$in.length);
  });
  await deleteInBatches(ProgressModel, { _id: { $gte: `${prefix}:`, $lt: `${prefix};` } });
  mongoose.set('debug', false);
  expect(sizes).toEqual([500, 500, 500, 200]);
  expect(await ProgressModel.countDocuments({ _id: { $gte: `${prefix}:`, $lt: `${prefix};` } })).toBe(0);
  expect(await ProgressModel.countDocuments({ _id: 'kept' })).toBe(1);
});

test('stops when the signal is aborted', async () => {
  await ProgressModel.insertMany([{ _id: 'stays', at: new Date() }]);
  await deleteInBatches(ProgressModel, { _id: 'stays' }, AbortSignal.abort());
  expect(await ProgressModel.countDocuments({ _id: 'stays' })).toBe(1);
});
