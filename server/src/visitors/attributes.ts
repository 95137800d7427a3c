import { type Field, SHAPE } from '../http/shape.ts';
import {
  ATTRIBUTE_NAME_MAX_LENGTH,
  ATTRIBUTE_TEXT_MAX_LENGTH,
  ATTRIBUTES_MAX,
  type Attribute,
  type AttributesBody,
} from './contract.ts';

/** What a website may tell of its visitor in one call. */
export const attributesField: Field = {
  optional: { options: { values: 'undefined' } },
  [SHAPE]: { type: 'object', maxProperties: ATTRIBUTES_MAX },
  errorMessage: `attributes must be at most ${ATTRIBUTES_MAX} texts, numbers or booleans by name, names up to ${ATTRIBUTE_NAME_MAX_LENGTH} and texts up to ${ATTRIBUTE_TEXT_MAX_LENGTH} characters long`,
  custom: { options: isAttributes },
};

function isAttributes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= ATTRIBUTES_MAX && entries.every(([name, each]) => isName(name) && isValue(each));
}

const isName = (name: string) => name.trim() !== '' && isText(name, ATTRIBUTE_NAME_MAX_LENGTH);

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return isText(value, ATTRIBUTE_TEXT_MAX_LENGTH);
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

/** No store keeps NUL and lone surrogates. */
const isText = (text: string, max: number) => text.length <= max && text.isWellFormed() && !text.includes('\0');

/** What is known after a website has told something more: the latest last, and of too many the latest. */
export function mergeAttributes(known: Attribute[] = [], told: AttributesBody): Attribute[] {
  const kept = known.filter(({ name }) => !Object.hasOwn(told, name));
  const added = Object.entries(told).flatMap(([name, value]) => (value === null ? [] : { name, value }));
  return [...kept, ...added].slice(-ATTRIBUTES_MAX);
}
