import { FILE_NAME_MAX_LENGTH } from '#platform/files/contract';
import { type Field, type InputSchema, JSON_SCHEMA, sentence, text, timeZoneField } from '#platform/http';
import { HISTORY_COLUMN_MAX_LENGTH, IMPORT_FIELDS, type ImportColumns, type ImportField } from './contract.ts';

const isField = (name: string): name is ImportField => (IMPORT_FIELDS as readonly string[]).includes(name);

function isColumns(value: unknown): value is ImportColumns {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, column]) => isField(name) && typeof column === 'string' && column.length <= HISTORY_COLUMN_MAX_LENGTH,
  );
}

const columns: Field = {
  [JSON_SCHEMA]: {
    type: 'object',
    maxProperties: IMPORT_FIELDS.length,
    properties: Object.fromEntries(
      IMPORT_FIELDS.map((name) => [name, { type: 'string' as const, maxLength: HISTORY_COLUMN_MAX_LENGTH }]),
    ),
  },
  errorMessage: sentence('columns must say which column is what'),
  custom: { options: isColumns },
};

const yesOrNo = (label: string): Field => ({
  [JSON_SCHEMA]: { type: 'boolean' },
  errorMessage: sentence('{field} must be true or false', { field: label }),
  custom: { options: (value: unknown) => typeof value === 'boolean' },
});

export const importUploadSchema: InputSchema = { name: text({ label: 'Name', max: FILE_NAME_MAX_LENGTH }) };

export const importRunSchema: InputSchema = {
  columns,
  timeZone: {
    ...timeZoneField,
    optional: false,
    errorMessage: sentence('timeZone must be a time zone like Europe/Berlin'),
  },
  dayFirst: yesOrNo('dayFirst'),
  dryRun: yesOrNo('dryRun'),
};
