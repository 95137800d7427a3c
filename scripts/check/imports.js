import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ROOT } from '../setup.js';
import { projectFiles } from './files.js';
import { clientProblem, serverProblem } from './floors.js';

const WORKSPACES = ['server', 'browser', 'client', 'widget', 'e2e'];
/** The workspaces that may import the code that both share in the browser. */
const IN_BROWSER = ['client', 'widget', 'browser'];
const CONTRACT = 'server/contract';
/** With fewer than these, the check has not read the right files. */
const FILES_MIN = 60;
const IMPORTS_MIN = 150;
/** The package imports of each workspace that was read. */
const known = {};

/** Imports go down the layers only, and a workspace sees only the contract of another. */
export function imports() {
  const files = projectFiles(/^(server|browser|client|widget|e2e)\/.*\.tsx?$/);
  const edges = [...files].flatMap(([path, text]) => importsOf(path, text).map((target) => [path, target]));
  const problems = edges.map(([from, to]) => wrongImport(from, to)).filter((problem) => problem !== null);
  if (files.size < FILES_MIN || edges.length < IMPORTS_MIN) {
    problems.push(
      `only ${edges.length} imports in ${files.size} files were read: the check does not read the right files`,
    );
  }
  return { problems, notes: [`${edges.length} imports in ${files.size} files`] };
}

/** What a file imports, re-exports or imports lazily: paths from the root for our own code, names for packages. */
export function importsOf(path, text) {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const named = [...module.staticImports.map((item) => item.moduleRequest.value), ...reExports(module)];
  const lazy = module.dynamicImports.map((item) => text.slice(item.moduleRequest.start, item.moduleRequest.end));
  const literals = lazy.filter((code) => /^['"]/.test(code)).map((code) => code.slice(1, -1));
  return [...named, ...literals].map((name) => resolved(path, name));
}

/** The path of a file that is named relative to another, or by the `imports` of its workspace's package.json. */
function resolved(path, name) {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name);
  if (!name.startsWith('#')) return name;
  const [workspace] = path.split('/');
  for (const [pattern, target] of packageImports(workspace)) {
    const [before, after] = pattern.split('*');
    if (name === pattern) return posix.join(workspace, target);
    if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) continue;
    return posix.join(workspace, target.replace('*', name.slice(before.length, name.length - after.length)));
  }
  throw new Error(`${path} imports ${name}, which ${workspace}/package.json does not know.`);
}

/** The patterns of a workspace's package imports, those that say most first, as Node does. */
function packageImports(workspace) {
  known[workspace] ??= Object.entries(
    JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')).imports ?? {},
  ).sort(([a], [b]) => b.length - a.length);
  return known[workspace];
}

/** Why this import may not be, or null. */
export function wrongImport(from, to) {
  const [home] = from.split('/');
  const [target] = to.split('/');
  if (WORKSPACES.includes(target) && target !== home) {
    // Tests of client and widget implement the interfaces with which the browser tests run them without screens.
    if (target === 'e2e' && isTest(from)) return null;
    if (target === 'browser' && IN_BROWSER.includes(home)) return null;
    return to === CONTRACT ? null : `${from} reaches into ${to}: only '${CONTRACT}' may be imported from outside`;
  }
  if (target !== home || isTest(from) || !/\.tsx?$/.test(to)) return null;
  if (isTest(to)) return `${from} imports the test file ${to}`;
  if (home === 'server') return serverProblem(from, to);
  return home === 'client' ? clientProblem(from, to) : null;
}

const reExports = (module) =>
  module.staticExports.flatMap((item) => item.entries.flatMap((entry) => entry.moduleRequest?.value ?? []));

const isTest = (path) => /\.test\.tsx?$|\/test\/|\/testing\.ts$/.test(path);
