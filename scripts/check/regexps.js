import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { projectFiles } from './files.js';

/** Fewer than this and the check has gone blind. */
const LITERALS_MIN = 200;

/** Patterns that are put together while the program runs, and why each is harmless. */
const DYNAMIC = {
  'client/vite.config.ts': 'made of names, held against the paths of our own files while building',
  'widget/src/chat/view/log.ts':
    'made of one class and a pair of brackets that it leaves out, so each has one way to match',
  'server/src/search/words.ts':
    'made of constants, each alternative a single class or a run of one that no other begins with',
};

/** No regular expression takes more than in proportion to the text it is held against: such texts come from anybody. */
export function regexps() {
  const files = projectFiles(/^(server|client|widget|scripts)\/.*\.(tsx?|js)$/);
  const found = [...files].flatMap(([path, text]) => regexpsOf(path, text));
  const problems = found.map(slowness).filter((problem) => problem !== null);
  if (found.length < LITERALS_MIN) problems.push(`only ${found.length} patterns were read: the check has gone blind`);
  return { problems, notes: [`${found.length} patterns in ${files.size} files`] };
}

/** The patterns of a file: literals, and `RegExp(…)` of a text that stands there; `source` is null where it is put together. */
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

/** Why this pattern may take the square of a text's length or more, as a sentence; null: it does not. */
export function slowness({ path, line, source, flags }) {
  if (source === null) {
    if (DYNAMIC[path] || /\.test\.tsx?$|\/test\//.test(path)) return null;
    return `${path}:${line} puts a pattern together: write it as one literal, or name it in scripts/check/regexps.js`;
  }
  const [report] = analyse({ source, flags }).reports;
  if (!report) return null;
  const growth = report.exponential ? 'exponential' : 'quadratic';
  return `${path}:${line} /${source}/${flags} takes ${growth} time (${report.type}), for example with many of ${JSON.stringify(report.character.pick)}`;
}
