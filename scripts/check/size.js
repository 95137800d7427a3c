import { projectFiles } from './files.js';

/** The lines of the last release. Whoever releases another writes its own here, and empties `NEW`. */
const RELEASE = { version: '0.1.0', lines: { 'server/src': 46_298, 'client/src': 29_699, 'widget/src': 7_554 } };
/** Features that the last release did not have. Their lines are told apart, so that they hide no growth of all others. */
const NEW = [
  ...[
    'articles',
    'help',
    'knowledge',
    'assistant',
    'suggestions',
    'mailin',
    'oidc',
    'departments',
    'chatpage',
    'rules',
  ].map((feature) => `server/src/features/${feature}/`),
  ...['chats/assisted', 'sites/hours', 'sites/texts', 'sites/flows'].map((part) => `server/src/features/${part}/`),
  ...['departmentModel', 'departments', 'lists', 'ruleModel'].map((file) => `server/src/features/sites/${file}.ts`),
  ...['chats/turns/department', 'reports/departments'].map((file) => `server/src/features/${file}.ts`),
  ...['mailIn', 'oidc'].map((settings) => `server/src/platform/env/${settings}.ts`),
  ...['articles', 'assistant', 'suggestions', 'mailin', 'oidc', 'departments', 'rules', 'sites/flows'].map(
    (feature) => `client/src/features/${feature}/`,
  ),
  ...['articles', 'assistant', 'departments', 'flows', 'inline', 'opening', 'typing'].map(
    (part) => `widget/src/${part}/`,
  ),
];
/** A folder whose other code grows by more than this from one release to the next has to be made smaller first. */
const GROWTH_MAX = 1.15;
const CODE = /\.(tsx?|css|js)$/;
const TESTS = /\.test\.tsx?$|\/testing\.tsx?$/;

/** How much code there is, without tests and translations, beside that of the last release. */
export function size() {
  const outcomes = Object.entries(RELEASE.lines).map(([folder, before]) => {
    const files = [...projectFiles(CODE)].filter(([path]) => path.startsWith(`${folder}/`) && !TESTS.test(path));
    const isNew = ([path]) => NEW.some((feature) => path.startsWith(feature));
    const added = linesOf(files.filter(isNew));
    return { folder, before, added, now: linesOf(files) - added };
  });
  return {
    problems: outcomes.flatMap(tooLarge),
    notes: outcomes.map(
      ({ folder, before, now, added }) =>
        `${folder}: ${now} lines, ${before} in ${RELEASE.version}; and ${added} of new features`,
    ),
  };
}

const linesOf = (files) => files.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0);

/** What is wrong with the size of a folder, as a list of sentences. */
export function tooLarge({ folder, before, now }) {
  if (now === 0) return [`${folder} has no files: the check does not read the right ones`];
  const most = Math.floor(before * GROWTH_MAX);
  return now <= most ? [] : [`${folder} has ${now} lines, at most ${most} until the next release`];
}
