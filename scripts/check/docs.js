import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../setup.js';
import { projectFiles } from './files.js';

/** With fewer paths than this, the check has not read the right files. */
const PATHS_MIN = 40;
/** Code spans that are paths of the repository. */
const PATH = /`((?:server|client|widget|e2e|scripts|bench|docs)\/[\w./-]*)`/g;
/** How the tree of folders in the map of the code begins. */
const TREE_START = 'package.json ';
const LINK = /\]\(([^)#]+)/g;

/** Every file and folder that the documentation names exists. */
export function docs() {
  const pages = projectFiles(/^(README|CONTRIBUTING|docs\/.*)\.md$/);
  const named = [...pages].flatMap(([page, text]) => pathsIn(page, text).map((path) => [page, path]));
  const problems = named
    .filter(([, path]) => !existsSync(join(ROOT, path)))
    .map(([page, path]) => `${page} names ${path}, which does not exist`);
  if (named.length < PATHS_MIN) problems.push(`only ${named.length} paths were read in ${pages.size} pages`);
  return { problems, notes: [`${named.length} paths in ${pages.size} pages`] };
}

/** The paths from the root that a page names: in code spans, in links to other files, and in the tree. Built files are left out. */
export function pathsIn(page, text) {
  const spans = [...text.matchAll(PATH)].map(([, path]) => path);
  const links = [...text.matchAll(LINK)].map(([, link]) => link).filter((link) => !/^\w+:/.test(link));
  const resolved = links.map((link) => posix.join(posix.dirname(page), link));
  const tree = text.split('```\n').find((block) => block.startsWith(TREE_START)) ?? '';
  return [...spans, ...resolved, ...pathsInTree(tree)].filter((path) => !path.split('/').includes('dist'));
}

/** The files and folders below `src/` in a tree whose lines without indentation name the workspaces. */
function pathsInTree(tree) {
  let workspace = '';
  return tree.split('\n').flatMap((line) => {
    workspace = /^(\w+)\//.exec(line)?.[1] ?? workspace;
    return [...line.matchAll(/(?:^|\s)(src\/[\w./-]+)/g)].map(([, path]) => `${workspace}/${path}`);
  });
}
