import type { Rules } from '../http/accept.ts';
import { text } from '../http/fields.ts';
import { SEARCH_MAX_LENGTH } from './contract.ts';

export const searchRules: Rules = { q: text({ label: 'q', max: SEARCH_MAX_LENGTH, optional: true, blank: true }) };
