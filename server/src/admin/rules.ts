import type { Rules } from '../http/accept.ts';
import { timeZoneField } from '../http/days.ts';
import { choice, flag, pageFields, text } from '../http/fields.ts';

const SEARCH_MAX_LENGTH = 200;

export const figureRules: Rules = { tz: timeZoneField };
export const accountListRules: Rules = {
  ...pageFields,
  search: text({ label: 'search', max: SEARCH_MAX_LENGTH, optional: true, blank: true }),
};
export const accountRules: Rules = { suspended: flag('suspended'), role: choice('Role', ['user', 'parley_admin']) };
export const auditRules: Rules = pageFields;
