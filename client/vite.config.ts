import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const SERVER = 'http://localhost:3000';
const SERVED_ELSEWHERE = ['/api', '/widget.js', '/widget', '/widget-preview', '/test', '/healthz', '/readyz'];

const SOURCES = join(import.meta.dirname, 'src');
/** Icons that share all their readers are put together up to this size: one alone has about 200 bytes. */
const ICONS_BYTES = 1_500;

const LANDING = 'features/landing/LandingPage.tsx';
const FRAME = 'app/shell/Shell.tsx';
const HOME = 'features/overview/OverviewPage.tsx';
const INBOX = 'features/inbox/InboxPage.tsx';

/**
 * What several screens share is one file for each step on the way to them: a public page, the dashboard, its frame, the two screens that
 * are open all day. What is left is split by the bundler. Without these steps, each combination of screens that share something
 * would have a file of its own, and a request.
 */
const STEPS = [
  // A public page imports the contract, but reads no messages.
  { name: 'formatting', test: /platform\/text\/formatting/ },
  step('public', 'main.tsx', [LANDING, 'app/App.tsx'], [LANDING, FRAME], [LANDING, HOME], [LANDING, INBOX]),
  iconsOf('public', LANDING),
  { name: 'icons', test: /lucide-react/, entriesAware: true, entriesAwareMergeThreshold: ICONS_BYTES },
  step('app', 'app/App.tsx'),
  step('frame', 'app/DashboardProviders.tsx', FRAME),
  step('screens', [HOME, INBOX]),
  step('chats', INBOX),
];

/** What one of these sources imports, itself or through others, and no earlier step has; in place of a source, several: what all of them import. */
function step(name: string, ...sources: (string | string[])[]): Rolldown.CodeSplittingGroup {
  let reached: Set<string>[][] | undefined;
  return {
    debugName: name,
    name: (id, graph) => {
      reached ??= sources.map((each) => [each].flat().map((source) => importsOf(source, graph)));
      return reached.some((all) => all.every((imports) => imports.has(id))) ? name : null;
    },
  };
}

/** The icons that this source uses, itself or through others: with those of other screens, they would bring more along than they are. */
function iconsOf(name: string, source: string): Rolldown.CodeSplittingGroup {
  let files: Set<string> | undefined;
  return {
    debugName: `icons of ${name}`,
    name: (id, graph) => {
      files ??= new Set([...importsOf(source, graph)].flatMap(iconFiles));
      return id.includes('lucide-react') && files.has(basename(id)) ? name : null;
    },
  };
}

/** The files of the icons that a source imports: that of `BookOpen` is `book-open`. */
function iconFiles(path: string): string[] {
  if (!/\.tsx?$/.test(path)) return [];
  const [, names = ''] = /import \{([^}]*)\} from 'lucide-react';/.exec(readFileSync(path, 'utf8')) ?? [];
  const kebab = (icon: string) => icon.replace(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase();
  return listOf(names).flatMap((icon) => ['js', 'mjs'].map((end) => `${kebab(icon)}.${end}`));
}

function importsOf(source: string, graph: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const follow = (id: string) => {
    // Packages are taken with what imports them: their index would lead to all that they have.
    if (found.has(id) || id.includes('node_modules')) return;
    found.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(follow);
  };
  follow(join(SOURCES, source));
  return found;
}

const FACE_IMPORTS = /import \{([^}]*)\} from '#features\/(\w+)';/g;
const RE_EXPORTS = /export \{([^}]*)\} from '\.([^']+)';/g;

/**
 * What is imported from the index.ts of a feature comes from the files that have it: the bundler puts all that a file imports
 * into one script, and a screen that needs one hook of a feature would load all the others.
 */
const withoutIndexes: Plugin = {
  name: 'without-indexes',
  enforce: 'pre',
  transform: {
    filter: { code: '#features/' },
    handler: (code) => code.replace(FACE_IMPORTS, (_, names: string, feature: string) => direct(names, feature)),
  },
};

function direct(names: string, feature: string): string {
  const folder = join(SOURCES, 'features', feature);
  const exported = [...readFileSync(join(folder, 'index.ts'), 'utf8').matchAll(RE_EXPORTS)];
  const imports = listOf(names).map((name) => {
    const [, , file = '/index.ts'] = exported.find(([, all = '']) => listOf(all).includes(name)) ?? [];
    return `import { ${name} } from '${folder}${file}';`;
  });
  return imports.join(' ');
}

/** The names of a list that exist at run time. */
const listOf = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

export default defineConfig({
  plugins: [withoutIndexes, react(), tailwindcss()],
  server: {
    proxy: {
      ...Object.fromEntries(SERVED_ELSEWHERE.map((path) => [path, SERVER])),
      '/socket.io': { target: SERVER, ws: true },
    },
  },
  build: {
    target: 'es2022',
    // Small files written into the page as data: URLs would need a wider policy than `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Radix notes the name of each function with a call, which would keep those that nobody uses.
      treeshake: { manualPureFunctions: ['__name'] },
      output: { codeSplitting: { minShareCount: 2, groups: STEPS } },
    },
  },
  // What draws the public pages runs once, at the end of the build, and needs no more than itself.
  ssr: { noExternal: true },
});
