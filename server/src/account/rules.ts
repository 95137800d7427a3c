import { currentPasswordRules, secondStepRules } from '../auth/rules.ts';
import type { Rules } from '../http/accept.ts';

export const leaveRules: Rules = { ...currentPasswordRules, ...secondStepRules };
