import { historyFilterRules } from '../history/rules.ts';
import type { Rules } from '../http/accept.ts';
import { timeZoneField } from '../http/days.ts';
import { choice } from '../http/fields.ts';

const format = choice('format', ['txt', 'pdf']);

export const exportRules: Rules = { ...historyFilterRules, format };
export const chatExportRules: Rules = { format, tz: timeZoneField };
