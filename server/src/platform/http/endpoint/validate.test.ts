import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as authSchema from '../../../features/auth/schemas.ts';
import * as chatSchema from '../../../features/chats/schemas.ts';
import * as siteSchema from '../../../features/sites/schemas.ts';
import * as visitorSchema from '../../../features/visitors/schemas.ts';
import type { FieldError } from '../contract.ts';
import { conflict } from '../errors.ts';
import { idField, text } from './fields.ts';
import { type Field, JSON_SCHEMA } from './jsonSchema.ts';
import { type InputSchema, validate } from './validate.ts';

const SEED = 20_261_122;

const isField = (value: unknown): value is Field => typeof value === 'object' && value !== null && JSON_SCHEMA in value;
const isSchema = (value: unknown): value is InputSchema =>
  typeof value === 'object' && value !== null && Object.values(value).every(isField);

/** The same rules with a field that is never sent, whose check only express-validator knows: so none of them is compiled. */
function slow(rules: InputSchema): InputSchema {
  const unsent: Field = {
    optional: { options: { values: 'undefined' } },
    [JSON_SCHEMA]: { type: 'boolean' },
    isBoolean: true,
  };
  return { ...rules, unsent };
}

/** Values that a field may get: rightful ones, near misses, and anything. */
function valueFor(field: Field): fc.Arbitrary<unknown> {
  const schema = field[JSON_SCHEMA];
  const rightful =
    'enum' in schema && schema.enum
      ? fc.constantFrom(...schema.enum)
      : 'maxLength' in schema
        ? fc.string()
        : fc.anything();
  const id = fc.stringMatching(/^[0-9a-fA-F]{24}$/);
  const odd = fc.constantFrom(
    ' padded ',
    '\0',
    '\ud800',
    '',
    '   ',
    null,
    undefined,
    -1,
    0,
    1.5,
    2 ** 53,
    true,
    [],
    {},
  );
  return fc.oneof(rightful, id, fc.uuid(), fc.nat(), odd, fc.string({ maxLength: 40, unit: 'binary' }));
}

/** What becomes of a payload; the faults in any order. */
function outcome(rules: InputSchema, given: unknown): Promise<unknown> {
  return validate(rules, given).catch(({ errors }) => ({
    faults: errors.map(({ msg, path }: FieldError) => `${path}: ${msg}`).sort(),
  }));
}

/** An object of what stands under dotted names. */
function nested(flat: Record<string, unknown>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(flat)) {
    const [first = '', second] = path.split('.');
    whole[first] = second === undefined ? value : { ...(whole[first] as object), [second]: value };
  }
  return whole;
}

const all = [authSchema, chatSchema, siteSchema, visitorSchema]
  .flatMap((rules) => Object.entries(rules))
  .filter((entry): entry is [string, InputSchema] => entry[0].endsWith('Schema') && isSchema(entry[1]));

test('a violated rule says what it is made of, for those who show it in another language', async () => {
  const rules = { name: text({ label: 'Site name', max: 3 }), siteId: idField('siteId') };
  const { errors } = await validate(rules, { name: 'long', siteId: 'x' }).catch((refusal) => refusal);
  expect(errors).toHaveLength(2);
  expect(errors).toContainEqual({
    msg: 'Site name must be at most 3 characters long',
    text: '{field} must be at most {max} characters long',
    values: { field: { text: 'Site name' }, max: 3 },
    path: 'name',
  });
  expect(errors).toContainEqual(expect.objectContaining({ msg: 'siteId is not an id', values: { field: 'siteId' } }));
});

test.each(all)(
  '%s: compiled rules accept what express-validator accepts, with the same result',
  async (_name, rules) => {
    const values = Object.entries(rules).map(([path, field]) => [path, valueFor(field)] as const);
    const payload = fc.record(Object.fromEntries(values), { requiredKeys: [] }).map(nested);
    await fc.assert(
      fc.asyncProperty(payload, async (given) => {
        expect(await outcome(rules, given)).toEqual(await outcome(slow(rules), given));
      }),
      { numRuns: 25, seed: SEED },
    );
  },
);

test('a message that the check of texts could not find is refused by the compiler', () => {
  // @ts-expect-error a string that no `sentence()` made
  const refused = () => conflict('TAKEN', 'Claimed by a colleague.');
  // @ts-expect-error the same in a rule
  const rule: InputSchema = { name: { ...text({ label: 'Name', max: 5 }), isEmail: { errorMessage: 'Wrong' } } };
  expect([typeof refused, Object.keys(rule)]).toEqual(['function', ['name']]);
});
