import { emailField } from '../auth/rules.ts';
import type { Rules } from '../http/accept.ts';
import { idField, text } from '../http/fields.ts';

const TOKEN_MAX_LENGTH = 500;

export const transcriptRules: Rules = { chatId: idField('chatId'), email: emailField({ optional: true }) };
export const resumeRules: Rules = { token: text({ label: 'token', max: TOKEN_MAX_LENGTH }) };
