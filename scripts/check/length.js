import { projectFiles } from './files.js';

const LINES_MAX = 300;

/** No file has more than 300 lines. */
export const length = () => ({ problems: tooLong(projectFiles(/\.(ts|tsx|css|js)$/)) });

/** A message for each file over the limit. */
export function tooLong(files) {
  const counts = [...files].map(([path, text]) => [path, text.trimEnd().split('\n').length]);
  return counts
    .filter(([, lines]) => lines > LINES_MAX)
    .map(([path, lines]) => `${path} has ${lines} lines, at most ${LINES_MAX}`);
}
