import { model, Schema, Types } from 'mongoose';
import { expect, test } from 'vitest';
import { createDocumentCache } from './documentCache.ts';

interface Thing {
  _id: Types.ObjectId;
  name: string;
}

const schema = new Schema<Thing>({ name: String });
const recent = createDocumentCache<Thing>(schema, () => ThingModel);
const ThingModel = model<Thing>('Thing', schema);

function thing() {
  const _id = new Types.ObjectId();
  return { doc: { _id, name: 'Ana' }, id: _id.toHexString() };
}

test('what was read is kept until it changes', () => {
  const { doc, id } = thing();
  expect(recent.get(id)).toBeUndefined();
  recent.reading([id])([doc]);
  expect(recent.get(id)).toBe(doc);
  recent.forget(id);
  expect(recent.get(id)).toBeUndefined();
});

test('a read that a change overtakes is not kept, whether it says what it reads or not', () => {
  for (const saysWhat of [true, false]) {
    const { doc, id } = thing();
    const keep = recent.reading(saysWhat ? [id] : undefined);
    recent.forget(id);
    keep([doc]);
    expect(recent.get(id)).toBeUndefined();
  }
});

test('a change elsewhere leaves a read alone that says what it reads', () => {
  const { doc, id } = thing();
  const keep = recent.reading([id]);
  recent.forget(thing().id);
  keep([doc]);
  expect(recent.get(id)).toBe(doc);
});

test('what a write made of a kept document takes its place, unless it changed meanwhile', () => {
  const { doc, id } = thing();
  const after = { ...doc, name: 'Bea' };
  recent.reading([id])([doc]);
  recent.replace(doc, after);
  expect(recent.get(id)).toBe(after);
  recent.forget(id);
  recent.replace(after, doc);
  expect(recent.get(id)).toBeUndefined();
});

test('a read that such a write overtakes is not kept', () => {
  const { doc, id } = thing();
  recent.reading([id])([doc]);
  const keep = recent.reading([id]);
  recent.replace(doc, { ...doc, name: 'Bea' });
  keep([doc]);
  expect(recent.get(id)).toMatchObject({ name: 'Bea' });
});
