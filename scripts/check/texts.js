import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from '../setup.js';
import { projectFiles } from './files.js';
import { gluedIn, MAIL_MARKS, MARKS } from './glued.js';

/** The languages that have a catalogue in `client/src/locales`. */
export const LANGUAGES = ['de', 'es', 'fr', 'pt', 'ar'];

/** Counts up to this one decide which plural forms a language needs: some have one more for millions. */
const COUNTED = 1_000;

/** What is English in all languages: the public pages, which are made by the build, and the documentation. */
const ENGLISH =
  /^client\/src\/(features\/(landing|docs)\/|shared\/(PublicLayout|Logo)|app\/public|prerender|env)|\.test\.tsx?$|\/testing\.ts$/;
/** Names and keys, which are the same in all languages, and words of the console. */
const SAME = new Set([
  ...['Parley', 'Samsung Internet', 'Ctrl K', 'Alt Z', 'Shift Enter', 'Esc', 'name@example.com'],
  ...['Access denied', 'Resource not found', 'Validation error', 'Server error'],
]);

/** What the server sends as a word or writes into a chat, and the dashboard translates where it shows it. */
const SENT_BY_SERVER = [
  ...['all', 'waiting', 'active', 'closed', 'snoozed', 'assistant'],
  ...['owner', 'admin', 'agent', 'viewer'],
  ...['Chat closed', 'Chat reopened', 'You are offline.'],
];
/** The functions whose first argument, or its `label`, names a field of a form. */
const FIELDS = new Set(['text', 'flag', 'choice', 'whole', 'oneOf', 'line']);
/** Errors that only visitors and people at a terminal see. */
const NOT_SHOWN =
  /\.test\.ts$|^server\/src\/(store|maintenance|cli|features\/(docs|maintenance|visitors\/(session|people\/people|guards))|platform\/(env|cluster))\b/;

/** Attributes and properties whose value people read. */
const READ = new Set([
  ...[
    'children',
    'label',
    'title',
    'text',
    'hint',
    'placeholder',
    'alt',
    'confirmLabel',
    'what',
    'success',
    'failure',
    'empty',
  ],
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext'],
]);
/** Attributes and calls whose texts nobody reads. */
const UNREAD = /^(className|key|d|console|Error|TypeError|RangeError|cx)$/;
/** What runs the function that it is given at once. */
const RUN_AT_ONCE = new Set(['map', 'flatMap', 'filter', 'from', 'reduce']);
const WORD = /\p{L}{2}/u;
const SENTENCE = /^[“‘(]?\p{Lu}[\p{L}’']*,? \p{L}/u;
/** Addresses and names of classes. */
const NO_TEXT = /^\S*[a-z\d][./:@-]\w|^\//;

/** All texts of the dashboard are marked for translation, and the catalogues have them, and nothing else. */
export function texts() {
  const shown = shownFiles();
  const problems = shown.flatMap(([path, text]) => unmarkedIn(path, text));
  problems.push(...shown.flatMap(([path, text]) => earlyIn(path, text)));
  problems.push(
    ...[...shown, ...workerFiles(), ...widgetFiles(), ...serverFiles()].flatMap(([path, text]) => gluedIn(path, text)),
  );
  const notes = Object.entries(CATALOGUES).map(([what, { folder, keysOf, min }]) => {
    const keys = keysOf();
    for (const language of LANGUAGES)
      problems.push(...catalogueProblems(language, keys, catalogueOf(language, folder)));
    if (keys.size < min) problems.push(`only ${keys.size} texts were found: the check does not read the right files`);
    return `${what}: ${keys.size} texts in ${LANGUAGES.length + 1} languages`;
  });
  return { problems, notes };
}

/** The catalogues. With fewer than `min` texts, the check has not read the right files. */
export const CATALOGUES = {
  dashboard: { folder: 'client/src/locales', keysOf: allKeys, min: 500 },
  mails: { folder: 'server/src/platform/mail/locales', keysOf: mailKeys, min: 50 },
};

/** Every text to translate by its key: whether it is a plural, and where it stands. */
function allKeys() {
  const keys = new Map();
  const add = (key, isPlural, where) => keys.set(key, keys.get(key) ?? { isPlural, where });
  for (const [path, text] of [...shownFiles(), ...workerFiles()])
    for (const { key, isPlural } of keysIn(path, text)) add(key, isPlural, path);
  for (const key of SENT_BY_SERVER) add(key, false, 'server');
  for (const [path, text] of serverFiles())
    for (const key of errorsIn(path, text)) if (!SAME.has(key)) add(key, false, path);
  return keys;
}

function mailKeys() {
  const found = serverFiles().flatMap(([path, text]) => keysIn(path, text, MAIL_MARKS).map((each) => [path, each]));
  return new Map(found.map(([where, { key, isPlural }]) => [key, { isPlural, where }]));
}

/** The service worker takes its texts from the dashboard's catalogue. */
function workerFiles() {
  return [...projectFiles(/^client\/public\/sw\.js$/)];
}

/** The widget has its own texts, one table for each language; its types say that none is missing. */
function widgetFiles() {
  return [...projectFiles(/^widget\/src\/.*\.ts$/)];
}

function serverFiles() {
  return [...projectFiles(/^server\/src\/.*\.ts$/)].filter(([path]) => !NOT_SHOWN.test(path));
}

function shownFiles() {
  return [...projectFiles(/^client\/src\/.*\.tsx?$/)].filter(([path]) => !ENGLISH.test(path));
}

export function catalogueOf(language, folder) {
  const file = join(ROOT, folder, `${language}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** The texts that a catalogue has no translation of. */
export function missingIn(keys, catalogue) {
  return [...keys.keys()].filter((key) => !Object.hasOwn(catalogue, key));
}

/** The plural forms that a language needs. */
export function formsOf(language) {
  const rules = new Intl.PluralRules(language);
  const used = new Set(Array.from({ length: COUNTED }, (_, count) => rules.select(count)));
  return rules.resolvedOptions().pluralCategories.filter((form) => used.has(form));
}

/** What is wrong with a catalogue. */
export function catalogueProblems(language, keys, catalogue) {
  const of = (key) => `${language}: ‘${key}’`;
  const unused = Object.keys(catalogue).filter((key) => !keys.has(key));
  const broken = Object.entries(catalogue).flatMap(([key, entry]) => {
    const known = keys.get(key);
    const why = known ? entryProblem(key, entry, known.isPlural ? formsOf(language) : null) : null;
    return why ? [`${of(key)} ${why}`] : [];
  });
  const missing = missingIn(keys, catalogue).map((key) => `${of(key)} is missing`);
  return [...missing, ...unused.map((key) => `${of(key)} is not used any more`), ...broken];
}

/** @param forms the plural forms that it must have; null: it is no plural */
function entryProblem(key, entry, forms) {
  if (forms === null) {
    if (typeof entry !== 'string') return 'is no plural';
    return isFilled(entry) && sameParts(key, entry) ? null : `has other placeholders or tags: ‘${entry}’`;
  }
  if (typeof entry !== 'object' || entry === null) return `needs the forms ${forms.join(', ')}`;
  const lacking = forms.filter((form) => !(form in entry));
  if (lacking.length > 0) return `lacks the forms ${lacking.join(', ')}`;
  const wrong = Object.entries(entry).find(([, text]) => !isFilled(text) || !sameParts(key, text, ['{count}']));
  return wrong ? `has other placeholders or tags in ‘${wrong[1]}’` : null;
}

const isFilled = (text) => typeof text === 'string' && text.trim() !== '';

/** @param optional those that a form may leave out: languages have words for one and two */
function sameParts(key, text, optional = []) {
  const partsOf = (of) => new Set(of.match(/\{\w+\}|<\/?\w+>/g) ?? []);
  const [wanted, has] = [partsOf(key), partsOf(text)];
  return (
    [...wanted].every((part) => has.has(part) || optional.includes(part)) && [...has].every((part) => wanted.has(part))
  );
}

/** The texts that a file marks for translation. */
export function keysIn(path, text, marks = MARKS) {
  const keys = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: args }) {
      if (callee.type !== 'Identifier' || !marks.has(callee.name)) return;
      const isPlural = /plural$/i.test(callee.name);
      for (const key of literalsOf(args[isPlural ? 2 : 0])) keys.push({ key, isPlural });
    },
  });
  visitor.visit(parseSync(path, text).program);
  return keys;
}

/** The string, or those between which a condition chooses. */
function literalsOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  return [];
}

/**
 * The sentences with which the server refuses or tells something, and the names of fields that stand in them. What begins
 * with a small letter names a field of the API, and is for programs.
 */
export function errorsIn(path, text) {
  const found = [];
  const name = (node) => found.push(...literalsOf(node).filter((each) => /^[\p{Lu}{“]/u.test(each)));
  const visitor = new Visitor({
    CallExpression({ callee, arguments: args }) {
      if (callee.name === 'sentence') [args[0], ...textsAmong(args[1])].forEach(name);
      if (FIELDS.has(callee.name))
        for (const arg of args) name(arg.type === 'ObjectExpression' ? propertyOf(arg, 'label') : arg);
      if (callee.name === 'notFound')
        for (const what of literalsOf(args[0])) found.push(`This ${what} does not exist.`);
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

/** The texts among the values of a sentence: `{ field: { text: 'Score' } }`. */
function textsAmong(node) {
  if (node?.type !== 'ObjectExpression') return [];
  return node.properties.flatMap(({ value }) =>
    value?.type === 'ObjectExpression' ? [propertyOf(value, 'text')] : [],
  );
}

function propertyOf({ properties }, name) {
  return properties.find(({ key }) => key?.name === name)?.value;
}

/** Texts of a screen that are not marked. */
export function unmarkedIn(path, source) {
  const problems = [];
  const lineOf = (node) => source.slice(0, node.start).split('\n').length;
  const say = (node, text) =>
    problems.push(
      `${path}:${lineOf(node)} ‘${text.trim().slice(0, 60)}’ is not marked for translation (client/src/lib/i18n.ts)`,
    );
  walk(parseSync(path, source).program, '');

  /** @param name of the attribute, property or call around it */
  function walk(node, name) {
    if (typeof node?.type !== 'string' || node.type.startsWith('TS') || isLeftOut(node, name)) return;
    if (node.type === 'JSXText' && WORD.test(node.value) && !SAME.has(node.value.trim())) say(node, node.value);
    const text = textOf(node);
    if (
      text !== null &&
      !SAME.has(text) &&
      WORD.test(text) &&
      (READ.has(name) ? !NO_TEXT.test(text) : SENTENCE.test(text))
    )
      say(node, text);
    const inner = nameOf(node) ?? (/^(JSXExpressionContainer|Conditional|Logical)/.test(node.type) ? name : '');
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' || key === 'callee' || key === 'test') continue;
      if (Array.isArray(value)) for (const each of value) walk(each, inner);
      else if (typeof value === 'object' && value !== null) walk(value, inner);
    }
  }
  return problems;
}

/** Texts that are translated when a module is loaded: a language that is chosen later would not change them. */
export function earlyIn(path, source) {
  const problems = [];
  walk(parseSync(path, source).program);
  return problems;

  function walk(node) {
    if (typeof node?.type !== 'string') return;
    const called = node.type === 'CallExpression' ? (node.callee.name ?? node.callee.property?.name) : undefined;
    if (called !== 'msg' && MARKS.has(called)) {
      const line = source.slice(0, node.start).split('\n').length;
      problems.push(
        `${path}:${line} is translated when the module is loaded: mark it with msg(), and use t() where it shows`,
      );
    }
    for (const value of Object.values(node).flat()) {
      const runsLater = /Function|Class/.test(value?.type ?? '') && !RUN_AT_ONCE.has(called);
      if (!runsLater) walk(value);
    }
  }
}

function isLeftOut(node, name) {
  if (/^(Import|Export(All|Named)Declaration$.*from)/.test(node.type) || UNREAD.test(name)) return true;
  if (node.type === 'BinaryExpression' || node.type === 'ThrowStatement') return true;
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const called = node.callee.name ?? node.callee.object?.name ?? '';
  return MARKS.has(called) || UNREAD.test(called);
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('…') : null;
}

function nameOf(node) {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return 'children';
  if (node.type === 'JSXAttribute') return node.name.name ?? '';
  if (node.type === 'Property') return node.key.name ?? node.key.value ?? '';
  return null;
}
