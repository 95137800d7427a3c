import type { Rules } from '../http/accept.ts';
import { idField, pageFields, text } from '../http/fields.ts';
import { SHAPE } from '../http/shape.ts';
import { REPLY_MAX_LENGTH, SHORTCUT_MAX_LENGTH } from './contract.ts';

const normalize = (value: string) => value.normalize('NFC').trim().replace(/^\//, '').toLowerCase();
const isShortcut = (value: unknown) =>
  typeof value === 'string' &&
  normalize(value).length <= SHORTCUT_MAX_LENGTH &&
  /^[\p{L}\p{M}\p{N}_-]+$/u.test(normalize(value));

const shortcut = (optional: boolean): Rules[string] => ({
  ...(optional ? { optional: { options: { values: 'undefined' as const } } } : {}),
  [SHAPE]: { type: 'string', minLength: 1, maxLength: SHORTCUT_MAX_LENGTH },
  errorMessage: `Shortcut must be up to ${SHORTCUT_MAX_LENGTH} letters, digits, - or _, without blanks`,
  custom: { options: isShortcut, bail: true },
  customSanitizer: { options: (value: unknown) => (typeof value === 'string' ? normalize(value) : value) },
});
const content = (optional: boolean) => text({ label: 'Content', max: REPLY_MAX_LENGTH, raw: true, optional });

export const replyRules: Rules = { siteId: idField('siteId'), shortcut: shortcut(false), content: content(false) };
export const replyPatchRules: Rules = { shortcut: shortcut(true), content: content(true) };
export const replyListRules: Rules = {
  ...pageFields,
  siteId: idField('siteId'),
  q: { ...text({ label: 'q', max: SHORTCUT_MAX_LENGTH, optional: true, blank: true }), toLowerCase: true },
};
