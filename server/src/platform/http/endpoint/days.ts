import { addDays, timeZoneOf } from '#platform/time';
import { labelled, sentence } from '../sentence.ts';
import { type Field, JSON_SCHEMA } from './jsonSchema.ts';

const optionalRule = { options: { values: 'undefined' as const } };

/** A calendar day in a query string. */
export function dayField(label: string): Field {
  return {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'string', format: 'date', maxLength: 10 },
    errorMessage: sentence('{field} must be a day like 2026-05-31', { field: labelled(label) }),
    custom: { options: isDay },
  };
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(19|20)\d\d-\d\d-\d\d$/.test(value)) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && addDays(value, 0) === value;
}

/** The longest time zone name has 32 characters. */
export const TIME_ZONE_MAX_LENGTH = 64;

/** The time zone that decides where days begin and end. */
export const timeZoneField: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'string', maxLength: TIME_ZONE_MAX_LENGTH },
  errorMessage: sentence('tz must be a time zone like Europe/Berlin'),
  custom: { options: (value: unknown) => typeof value === 'string' && timeZoneOf(value) !== null },
};
