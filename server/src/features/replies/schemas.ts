import { FILE_NAME_MAX_LENGTH } from '#platform/files/contract';
import {
  choice,
  converted,
  type Field,
  flag,
  type InputSchema,
  InvalidValue,
  idField,
  JSON_SCHEMA,
  pageFields,
  sentence,
  type TranslatableText,
  text,
} from '#platform/http';
import { normalized } from '#platform/text';
import { PLACEHOLDERS, REPLY_FILES_MAX, REPLY_MAX_LENGTH, SHORTCUT_MAX_LENGTH } from './contract.ts';

const FILE_URL_MAX_LENGTH = 100;

/** Before it is normalized: a letter may be typed with its marks apart. */
const SHORTCUT_TYPED_MAX_LENGTH = 4 * SHORTCUT_MAX_LENGTH;

/** A shortcut as it is stored. */
export const normalizeShortcut = (value: string): string =>
  normalized(value, 'NFC').trim().replace(/^\//, '').toLowerCase();

/** Whether a shortcut can be stored, once it is normalized. */
export const isShortcut = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= SHORTCUT_TYPED_MAX_LENGTH &&
  normalizeShortcut(value).length <= SHORTCUT_MAX_LENGTH &&
  /^[\p{L}\p{M}\p{N}_-]+$/u.test(normalizeShortcut(value));

export const SHORTCUT_RULE = sentence('Shortcut must be up to {max} letters, digits, - or _, without spaces', {
  max: SHORTCUT_MAX_LENGTH,
});

/** A placeholder with its name and, after a `|`, what stands there if it is not known. */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|[^{}]*)?\}\}/g;

/** Says what is wrong with the placeholders of a text; null: nothing. */
export function placeholderProblem(content: string): TranslatableText | null {
  const known: readonly string[] = PLACEHOLDERS;
  for (const [whole, name = ''] of content.matchAll(PLACEHOLDER)) {
    if (known.includes(name.trim())) continue;
    const possible = PLACEHOLDERS.map((each) => `{{${each}}}`).join(', ');
    return sentence('{placeholder} is not known. Possible are {possible}.', { placeholder: whole, possible });
  }
  return null;
}

function checkedContent(content: unknown): unknown {
  if (typeof content !== 'string' || content.trim() === '')
    throw new InvalidValue(sentence('{field} is required', { field: { text: 'Content' } }));
  const problem = placeholderProblem(content);
  if (problem !== null) throw new InvalidValue(problem);
  return content;
}

const shortcut = (optional: boolean): Field => ({
  ...(optional ? { optional: { options: { values: 'undefined' as const } } } : {}),
  [JSON_SCHEMA]: { type: 'string', minLength: 1, maxLength: SHORTCUT_MAX_LENGTH },
  errorMessage: SHORTCUT_RULE,
  custom: { options: isShortcut, bail: true },
  customSanitizer: { options: (value: unknown) => (typeof value === 'string' ? normalizeShortcut(value) : value) },
});

const content = (optional: boolean): Field => {
  const rules = text({ label: 'Content', max: REPLY_MAX_LENGTH, raw: true, optional });
  return { ...rules, custom: converted(checkedContent).custom };
};

/** The files that stay. */
const files: Field = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: REPLY_FILES_MAX,
    items: { type: 'string', maxLength: FILE_URL_MAX_LENGTH },
  },
  errorMessage: sentence('files must be up to {max} addresses', { max: REPLY_FILES_MAX }),
  custom: {
    options: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
};

export const replySchema: InputSchema = {
  siteId: idField('siteId'),
  shortcut: shortcut(false),
  content: content(false),
  personal: flag('personal'),
};
export const replyPatchSchema: InputSchema = { shortcut: shortcut(true), content: content(true), files };
export const replyListSchema: InputSchema = {
  ...pageFields,
  siteId: idField('siteId'),
  q: { ...text({ label: 'q', max: SHORTCUT_MAX_LENGTH, optional: true, blank: true }), toLowerCase: true },
};
export const replyFileSchema: InputSchema = {
  name: text({ label: 'File name', max: FILE_NAME_MAX_LENGTH, optional: true }),
};
export const replyExportSchema: InputSchema = { siteId: idField('siteId') };
export const replyImportSchema: InputSchema = { siteId: idField('siteId'), dryRun: choice('dryRun', ['yes']) };
