import { departmentFilterField, listSearch, statusChoice } from '#features/chats';
import { dayField, type InputSchema, idField, pageFields, text, timeZoneField } from '#platform/http';

const SUPPORTER_MAX_LENGTH = 100;
const siteId = idField('siteId', { optional: true });

/** The schema of the filters of the history and of its exports. */
export const historyFilterSchema: InputSchema = {
  siteId,
  supporter: text({ label: 'supporter', max: SUPPORTER_MAX_LENGTH, optional: true, blank: true }),
  status: statusChoice,
  department: departmentFilterField,
  search: listSearch,
  startDate: dayField('startDate'),
  endDate: dayField('endDate'),
  tz: timeZoneField,
};
export const historySchema: InputSchema = { ...historyFilterSchema, ...pageFields };
export const supportersSchema: InputSchema = { siteId };
