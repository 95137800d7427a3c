import { OFFICE_HOURS_JSON_SCHEMA, toOfficeHours } from '#features/sites';
import { TEAM_LIMIT } from '#features/team/contract';
import {
  converted,
  type Field,
  flag,
  ID_JSON_SCHEMA,
  type InputSchema,
  isId,
  JSON_SCHEMA,
  sentence,
  text,
  whole,
} from '#platform/http';
import { DEPARTMENT_NAME_MAX_LENGTH, DEPARTMENTS_MAX, HELP_AFTER_MAX_MINUTES } from './contract.ts';

const optional = { options: { values: 'undefined' } } as const;

function idList(label: string, max: number): Field {
  return {
    [JSON_SCHEMA]: { type: 'array', maxItems: max, items: ID_JSON_SCHEMA },
    errorMessage: sentence('{field} must be a list of up to {max} ids', { field: label, max }),
    custom: { options: (value: unknown) => Array.isArray(value) && value.length <= max && value.every(isId) },
  };
}

const isMinutes = (value: unknown) =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= HELP_AFTER_MAX_MINUTES);
const helpAfter: Field = {
  optional,
  [JSON_SCHEMA]: { type: 'integer', minimum: 1, maximum: HELP_AFTER_MAX_MINUTES },
  errorMessage: sentence('{field} must be a whole number from {min} to {max}', {
    field: 'helpAfterMinutes',
    min: 1,
    max: HELP_AFTER_MAX_MINUTES,
  }),
  custom: { options: isMinutes },
};

const others: InputSchema = {
  members: { ...idList('members', TEAM_LIMIT), optional },
  hours: { optional, [JSON_SCHEMA]: OFFICE_HOURS_JSON_SCHEMA, ...converted(toOfficeHours) },
  visible: flag('visible'),
  helpAfterMinutes: helpAfter,
};

const nameField = { label: 'Name', max: DEPARTMENT_NAME_MAX_LENGTH };

/** A new department. */
export const departmentSchema: InputSchema = { name: text(nameField), ...others };

/** Any fields of a department, and the version that was changed. */
export const departmentPatchSchema: InputSchema = {
  name: text({ ...nameField, optional: true }),
  ...others,
  rev: whole('rev'),
};

/** The order of departments. */
export const orderSchema: InputSchema = { ids: idList('ids', DEPARTMENTS_MAX) };
