import type { Rules } from '../http/accept.ts';
import { timeZoneField } from '../http/days.ts';
import { idField } from '../http/fields.ts';

export const overviewRules: Rules = { siteId: idField('siteId', { optional: true }), tz: timeZoneField };
