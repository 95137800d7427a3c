import { projectFiles } from './files.js';

const LINES_MAX = 300;

/** No file is longer than a person reads in one go. */
export const length = () => ({ problems: tooLong(projectFiles(/\.(ts|tsx|css|js)$/)) });

/** The files over the limit, as sentences. */
export function tooLong(files) {
  const counts = [...files].map(([path, text]) => [path, text.trimEnd().split('\n').length]);
  return counts
    .filter(([, lines]) => lines > LINES_MAX)
    .map(([path, lines]) => `${path} has ${lines} lines, at most ${LINES_MAX}`);
}
