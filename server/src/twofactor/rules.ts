import { codeField, currentPasswordRules } from '../auth/rules.ts';
import type { Rules } from '../http/accept.ts';

export const enableRules: Rules = { code: codeField(), ...currentPasswordRules };
