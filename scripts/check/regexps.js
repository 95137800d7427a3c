import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { projectFiles } from './files.js';

/** With fewer than this, the check has not read the right files. */
const LITERALS_MIN = 200;

/** Files with regular expressions that are built at run time, and why each is safe. */
const DYNAMIC = {
  'widget/src/files/files.ts':
    'built from one class and a pair of brackets that are not in it, so that there is only one way to match',
  'server/src/features/search/words.ts':
    'built from constants; each alternative is a class, or a run of one, that starts with characters of no other',
};

/** Files of the server that normalize texts themselves, and why that takes linear time. */
const NORMALIZING = {
  'server/src/platform/text/text.ts': 'excessive marks are left out',
  'server/src/features/search/words.ts': 'all marks are left out',
};

/** Every regular expression takes linear time, and so does normalizing on the server, because texts come from anybody. */
export function regexps() {
  const files = projectFiles(/^(server|client|widget|scripts)\/.*\.(tsx?|js)$/);
  const found = [...files].flatMap(([path, text]) => regexpsOf(path, text));
  const problems = found.map(slowness).filter((problem) => problem !== null);
  for (const [path, text] of files) problems.push(...normalizations(path, text));
  if (found.length < LITERALS_MIN)
    problems.push(`only ${found.length} patterns were read: the check does not read the right files`);
  return { problems, notes: [`${found.length} patterns in ${files.size} files`] };
}

/** The regular expressions of a file: literals, and `RegExp(…)` of a string literal; `source` is null if it is built at run time. */
export function regexpsOf(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const found = [];
  const add = (node, source, flags) =>
    found.push({ path, line: text.slice(0, node.start).split('\n').length, source, flags });
  const construct = (node) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [source, flags] = node.arguments.map(({ value }) => (typeof value === 'string' ? value : null));
    add(node, source ?? null, flags ?? '');
  };
  new Visitor({
    Literal: (node) => node.regex && add(node, node.regex.pattern, node.regex.flags),
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program);
  return found;
}

/** Calls of `normalize` in the server's files, as sentences. */
export function normalizations(path, text) {
  if (!path.startsWith('server/src/') || path.endsWith('.test.ts') || NORMALIZING[path]) return [];
  const lines = text.split('\n').flatMap((line, i) => (line.includes('.normalize(') ? [i + 1] : []));
  return lines.map(
    (line) => `${path}:${line} normalizes a text, in quadratic time for runs of marks: use normalized() of text.ts`,
  );
}

/** A message if this pattern may take quadratic time or more, else null. */
export function slowness({ path, line, source, flags }) {
  if (source === null) {
    if (DYNAMIC[path] || /\.test\.tsx?$|\/test\//.test(path)) return null;
    return `${path}:${line} builds a pattern at run time: write it as one literal, or name it in scripts/check/regexps.js`;
  }
  const [report] = analyse({ source, flags }).reports;
  if (!report) return null;
  const growth = report.exponential ? 'exponential' : 'quadratic';
  return `${path}:${line} /${source}/${flags} takes ${growth} time (${report.type}), for example with many of ${JSON.stringify(report.character.pick)}`;
}
