import { emailField } from '../auth/rules.ts';
import type { Rules } from '../http/accept.ts';
import { choice, idField } from '../http/fields.ts';
import { SITE_ROLES } from './contract.ts';

const role = choice('Role', SITE_ROLES);
const siteId = idField('siteId', { optional: true });

export const teamQueryRules: Rules = { siteId };
export const roleRules: Rules = { role: { ...role, optional: false }, siteId };
export const removeRules: Rules = { siteId };
export const inviteRules: Rules = { email: emailField(), role, siteId };
export const handOverRules: Rules = { userId: idField('userId') };
