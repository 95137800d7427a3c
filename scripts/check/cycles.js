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

const FEATURE = /^client\/src\/features\/\w+(?=\/)/;

/** No file imports, directly or through others, a file that imports it. Types that two files need belong below both. */
export function cycles() {
  const results = Object.entries(FOLDERS).map(([folder, sources]) => {
    const files = projectFiles(sources);
    const graph = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));
    const found = [...cyclesIn(graph), ...cyclesIn(featuresOf(graph))];
    const problems = found.map((paths) => `these import each other in a circle: ${paths.join(' → ')}`);
    if (files.size < FILES_MIN) problems.push(`only ${files.size} files were read in ${folder}`);
    return { problems, note: `${files.size} files in ${folder}` };
  });
  results.push(rooms());
  return { problems: results.flatMap(({ problems }) => problems), notes: results.map(({ note }) => note) };
}

/** Which features of the client import which, as a graph of their folders. Their tests may use what they like. */
export function featuresOf(graph) {
  const features = new Map();
  for (const [path, targets] of graph) {
    const feature = FEATURE.exec(path)?.[0];
    if (feature === undefined || /\.test\.tsx?$|\/testing\.ts$/.test(path)) continue;
    const others = targets.flatMap((target) => FEATURE.exec(target)?.[0] ?? []).filter((other) => other !== feature);
    features.set(feature, [...(features.get(feature) ?? []), ...others]);
  }
  return features;
}

/**
 * The rooms of the server form no circle either: two rooms that need each other are one, or events belong between them. What
 * wires a feature into the application (`feature.ts`) and contracts stand outside.
 */
function rooms() {
  const graph = new Map();
  for (const [path, text] of projectFiles(FOLDERS['server/src'])) {
    if (/\.test\.ts$|\/(feature|contract)\.ts$/.test(path)) continue;
    const targets = importsOf(path, text).filter((to) => to.startsWith('server/src/') && !to.endsWith('/contract.ts'));
    const room = serverRoomOf(path);
    const known = graph.get(room) ?? new Set();
    for (const target of targets.map(serverRoomOf)) if (target !== room) known.add(target);
    graph.set(room, known);
  }
  const problems = cyclesIn(graph).map((names) => `these rooms import each other in a circle: ${names.join(' → ')}`);
  return { problems, note: `${graph.size} rooms of the server` };
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
