import { parseSync, Visitor } from 'oxc-parser';
import { projectFiles } from './files.js';

const LINES_SMALL = 20;

/** What is looked for by its name, however short it is. */
const SMALL_KINDS = [
  [/\.(test|chaos)\.(tsx?|js)$/, 'a test beside what it tests'],
  [/\.d\.ts$/, 'types for what has none of its own'],
  [/^scripts\/[\w-]+\.js$/, 'a command'],
  [/^scripts\/check\/\w+\.js$/, 'a gate'],
  [
    /^server\/src\/\w+\/(feature|contract|schemas|guards|events|serialize|broadcast|routes|view)\.ts$/,
    'a role that every feature of the server has',
  ],
  [/^client\/src\/features\/\w+\/(api|live)\.ts$/, 'what other features may use of this one'],
  [/^client\/src\/(ui|shared)\/\w+\.tsx?$/, 'one control, looked for by its name'],
];

const LOADED_ALONE = 'a file of the build of its own: loaded at another time than what uses it';
const SHARED = 'used in many places that have nothing else in common';

/** Other small files, and why each stands alone. Merge a new one into the file that uses it: this list only gets shorter. */
const SMALL_FILES = {
  'bench/tools/gc.js': 'loaded by a flag of node, before the program',
  'bench/tools/relay.js': 'a process of its own',
  'client/public/boot.js': LOADED_ALONE,
  'client/src/app/DashboardProviders.tsx': LOADED_ALONE,
  'client/src/app/Providers.tsx': 'the providers of every screen, looked for by that name',
  'client/src/app/SiteSettings.tsx': 'puts parts of three features together, which may not know each other',
  'client/src/app/shell/searchField.ts': LOADED_ALONE,
  'client/src/features/landing/ComingSoonPage.tsx': LOADED_ALONE,
  'client/src/features/landing/NotFoundPage.tsx': LOADED_ALONE,
  'client/src/features/sites/EmbedCode.tsx': 'shown on two screens, each with a file of its own in the build',
  'client/src/lib/clientId.ts': SHARED,
  'client/src/lib/cx.ts': SHARED,
  'client/src/lib/paths.ts': SHARED,
  'client/src/lib/validate.ts': SHARED,
  'client/src/prerender.tsx': 'run by the build, never in a browser',
  'client/test/silence.ts': 'stands in for a package in the bundle of the delivery test',
  'e2e/chaos/report.ts': SHARED,
  'e2e/chaos/vitest.config.ts': 'read by vitest',
  'server/src/files/pixels.ts': 'limits that the process for pictures shares with the server',
  'server/src/time.ts': SHARED,
  'server/test/seed.ts': 'run by the fuzz command before the tests',
  'server/test/settings.ts': SHARED,
  'widget/src/chat/dom-helpers.ts': SHARED,
  'widget/src/chat/entry.ts': LOADED_ALONE,
  'widget/test/wait.ts': SHARED,
};

/** Files that hold one idea each, names that no file system confuses, and literals written in one piece. */
export function house() {
  const files = projectFiles(/\.(ts|tsx|js)$/);
  const spreads = [...files].flatMap(([path, text]) => literalSpreads(path, text));
  return { problems: [...sameButForCase([...files.keys()]), ...smallFiles(files, SMALL_FILES), ...spreads] };
}

/** Files of one folder whose names differ by case only: some file systems take them for one. A test is named like what it tests. */
export function sameButForCase(paths) {
  const byName = new Map();
  for (const path of paths) {
    const name = path.replace(/(\.test)?\.\w+$/, '');
    const key = name.toLowerCase();
    byName.set(key, new Map(byName.get(key)).set(name, path));
  }
  const clashes = [...byName.values()].filter((names) => names.size > 1);
  return clashes.map((names) => `${[...names.values()].join(' and ')} differ by case only`);
}

/** Small files without a reason, and reasons that nobody needs any more, as sentences. */
export function smallFiles(files, listed) {
  const lines = (text) => text.trimEnd().split('\n').length;
  const small = [...files].filter(([, text]) => lines(text) <= LINES_SMALL).map(([path]) => path);
  const hasKind = (path) => SMALL_KINDS.some(([kind]) => kind.test(path));
  const unlisted = small.filter((path) => !hasKind(path) && !Object.hasOwn(listed, path));
  const stale = Object.keys(listed).filter((path) => hasKind(path) || !small.includes(path));
  return [
    ...unlisted.map((path) => `${path} has ${LINES_SMALL} lines or fewer: merge it into the file that uses it`),
    ...stale.map((path) => `${path} needs no entry any more: remove it from the list in scripts/check/house.js`),
  ];
}

/** Object literals spread into object literals, as sentences: their properties can stand in the outer one. */
export function literalSpreads(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const found = [];
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const { type, argument, start } of properties) {
        if (type !== 'SpreadElement' || argument.type !== 'ObjectExpression') continue;
        const line = text.slice(0, start).split('\n').length;
        found.push(`${path}:${line} spreads an object literal into another: write its properties there`);
      }
    },
  }).visit(program);
  return found;
}
