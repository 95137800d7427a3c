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

test('a read document is cached until it changes', () => {
  const { doc, id } = thing();
  expect(recent.get(id)).toBeUndefined();
  recent.reading([id])([doc]);
  expect(recent.get(id)).toBe(doc);
  recent.forget(id);
  expect(recent.get(id)).toBeUndefined();
});

test('a read is not cached when the document changes meanwhile, with or without declared ids', () => {
  for (const saysWhat of [true, false]) {
    const { doc, id } = thing();
    const keep = recent.reading(saysWhat ? [id] : undefined);
    recent.forget(id);
    keep([doc]);
    expect(recent.get(id)).toBeUndefined();
  }
});

test('a read with declared ids is cached although another document changes', () => {
  const { doc, id } = thing();
  const keep = recent.reading([id]);
  recent.forget(thing().id);
  keep([doc]);
  expect(recent.get(id)).toBe(doc);
});

test('a write replaces the cached document, unless it changed meanwhile', () => {
  const { doc, id } = thing();
  const after = { ...doc, name: 'Bea' };
  recent.reading([id])([doc]);
  recent.replace(doc, after);
  expect(recent.get(id)).toBe(after);
  recent.forget(id);
  recent.replace(after, doc);
  expect(recent.get(id)).toBeUndefined();
});

test('a read is not cached when a write replaces the document meanwhile', () => {
  const { doc, id } = thing();
  recent.reading([id])([doc]);
  const keep = recent.reading([id]);
  recent.replace(doc, { ...doc, name: 'Bea' });
  keep([doc]);
  expect(recent.get(id)).toMatchObject({ name: 'Bea' });
});
