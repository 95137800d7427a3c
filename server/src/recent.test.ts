import { Schema, Types } from 'mongoose';
import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

const made = () => createRecent(new Schema<{ _id: Types.ObjectId; name: string }>({ name: String }));
const doc = { _id: new Types.ObjectId(), name: 'Ana' };
const id = doc._id.toHexString();

test('what was read is kept, and gone once it changes', async () => {
  const recent = made();
  expect(recent.get(id)).toBeUndefined();
  expect(await recent.find(id, async () => doc)).toBe(doc);
  expect(recent.get(id)).toBe(doc);
  recent.forget(id);
  expect(recent.get(id)).toBeUndefined();
});

test('a read that a change overtakes is not kept', async () => {
  const recent = made();
  const found = recent.find(id, async () => {
    recent.forget(id);
    return doc;
  });
  expect(await found).toBe(doc);
  expect(recent.get(id)).toBeUndefined();
});

test('what is not there is asked for again', async () => {
  const recent = made();
  expect(await recent.find(id, async () => null)).toBeNull();
  expect(await recent.find(id, async () => doc)).toBe(doc);
});
