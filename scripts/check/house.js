import { parseSync, Visitor } from 'oxc-parser';
import { projectFiles } from './files.js';

const LINES_SMALL = 20;

/** Kinds of files that may be short, because a reader looks for them by name. */
const SMALL_KINDS = [
  [/\.(test|chaos)\.(tsx?|js)$/, 'a test, next to the file it tests'],
  [/\.d\.ts$/, 'type declarations for code without types'],
  [/^scripts\/[\w-]+\.js$/, 'a command, run by its name'],
  [/^scripts\/check\/\w+\.js$/, 'a gate of npm run check, run by its name'],
  [
    /^server\/src\/(features|platform)\/[\w/]+\/(index|feature|contract|schemas|guards|events|serialize|broadcast|routes|view)\.ts$/,
    'one of the files that every feature of the server has under this name',
  ],
  [/^server\/src\/platform\/migrations\/(\d{4}-[\w-]+|steps)\.ts$/, 'one step of the stored data, and their list'],
  [
    /^client\/src\/features\/\w+\/(index|api|live)\.ts$/,
    'one of the files that features of the client have under this name',
  ],
  [/^browser\/\w+\.ts$/, 'one function that dashboard and widget share, found by its name'],
  [/^client\/src\/(ui|shared)\/\w+\.tsx?$/, 'one component, found by its name'],
];

const LOADED_ALONE = 'an entry of its own in the build: loaded before or after the files that use it';
const SHARED = 'imported by many files that share nothing else';

/** Other short files, each with the reason why it is not merged. Merge a new one into the file that uses it, so that this list only gets shorter. */
const SMALL_FILES = {
  'bench/tools/gc.js': 'preloaded by the --import flag of node',
  'bench/tools/name-thread.js': 'preloaded by the --import flag of node',
  'client/public/boot.js': LOADED_ALONE,
  'client/src/app/DashboardProviders.tsx': LOADED_ALONE,
  'client/src/features/chats/thread/LazyOpenChat.tsx': 'loads the open chat, so that none of its files can do it',
  'client/src/features/landing/ComingSoonPage.tsx': LOADED_ALONE,
  'client/src/features/landing/NotFoundPage.tsx': LOADED_ALONE,
  'client/src/lib/cx.ts': SHARED,
  'client/src/lib/storage.ts': SHARED,
  'client/src/lib/validate.ts': SHARED,
  'client/src/prerender.tsx': 'the entry that renders the public pages during the build',
  'client/test/silence.ts': 'replaces a package in the bundle of the delivery test',
  'e2e/chaos/vitest.config.ts': 'the configuration of vitest for this folder',
  'server/src/platform/files/pixels.ts': 'limits that the server and its image process both import',
  'server/src/platform/text/text.ts': SHARED,
  'server/src/platform/time/time.ts': SHARED,
  'server/test/rounds.ts': 'shared by tests of two features',
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
