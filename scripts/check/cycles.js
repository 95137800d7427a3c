import { projectFiles } from './files.js';
import { serverRoomOf } from './floors.js';
import { importsOf } from './imports.js';

/** The folders whose files may not import each other in a circle, not even for types. */
const FOLDERS = {
  'server/src': /^server\/src\/.*\.ts$/,
  'client/src and browser': /^(client\/src|browser)\/.*\.tsx?$/,
  'widget/src': /^widget\/src\/.*\.ts$/,
  e2e: /^e2e\/.*\.ts$/,
  scripts: /^scripts\/.*\.js$/,
  bench: /^bench\/.*\.js$/,
};
/** With fewer files than this, the check has read the wrong folder. */
const FILES_MIN = 20;

/** The rooms of a folder, which form no circle either. */
const ROOMS = {
  'server/src': (path) => (path.startsWith('server/src/') ? serverRoomOf(path) : undefined),
  'client/src and browser': (path) => /^client\/src\/features\/\w+(?=\/)/.exec(path)?.[0],
};

/** No file imports, directly or through others, a file that imports it. Types that two files need belong below both. */
export function cycles() {
  const results = Object.entries(FOLDERS).map(([folder, sources]) => {
    const files = projectFiles(sources);
    const graph = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));
    const found = [...cyclesIn(graph), ...cyclesIn(roomsOf(graph, ROOMS[folder]))];
    const problems = found.map((paths) => `these import each other in a circle: ${paths.join(' → ')}`);
    if (files.size < FILES_MIN) problems.push(`only ${files.size} files were read in ${folder}`);
    return { problems, note: `${files.size} files in ${folder}` };
  });
  return { problems: results.flatMap(({ problems }) => problems), notes: results.map(({ note }) => note) };
}

/**
 * Which rooms import which: two that need each other are one, or events or parameters belong between them. What wires a feature
 * into the application (`feature.ts`), contracts and tests stand outside.
 */
export function roomsOf(graph, roomOf = () => undefined) {
  const rooms = new Map();
  for (const [path, targets] of graph) {
    const room = roomOf(path);
    if (room === undefined || /\.test\.tsx?$|\/(feature|contract|testing)\.ts$/.test(path)) continue;
    const others = targets.filter((target) => !target.endsWith('/contract.ts')).map(roomOf);
    const known = rooms.get(room) ?? [];
    rooms.set(room, [...known, ...others.filter((other) => other !== undefined && other !== room)]);
  }
  return rooms;
}

/**
 * The cycles of a graph of files, each as the paths along it, with the first path again at the end. Depth-first search: it reports
 * at least one cycle of each group of files that import each other.
 */
export function cyclesIn(graph) {
  const found = [];
  const done = new Set();
  const path = [];

  function visit(file) {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  }

  for (const file of graph.keys()) visit(file);
  return found;
}
