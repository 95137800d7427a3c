import { choice, ID_JSON_SCHEMA, type InputSchema, isId, JSON_SCHEMA, sentence } from '#platform/http';
import { departmentIdField, newClaimerField, tagField } from '../schemas.ts';
import { BULK_MAX, type BulkChange } from './contract.ts';

const ACTIONS: BulkChange['action'][] = ['close', 'reopen', 'tag', 'untag', 'transfer', 'department'];
const isIdList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= BULK_MAX && value.every(isId);

/** Which of `tag`, `userId` and `department` an action needs is checked by the call: a field's rule knows only its own value. */
export const bulkSchema: InputSchema = {
  chatIds: {
    [JSON_SCHEMA]: { type: 'array', maxItems: BULK_MAX, items: ID_JSON_SCHEMA },
    errorMessage: sentence('chatIds must be a list of 1 to {max} ids', { max: BULK_MAX }),
    custom: { options: isIdList, bail: true },
    customSanitizer: {
      options: (ids: unknown) => (isIdList(ids) ? [...new Set(ids.map((id) => id.toLowerCase()))] : ids),
    },
  },
  action: { ...choice('action', ACTIONS), optional: false as const },
  tag: tagField,
  department: departmentIdField,
  userId: { ...newClaimerField, optional: { options: { values: 'undefined' } } },
};
