// The translations of the dashboard, in client/src/locales, and of mails, in server/src/platform/mail/locales. `node scripts/texts.js missing de` prints the texts without a
// translation, to be filled in; `node scripts/texts.js add de FILE` puts such a file into the catalogues, `-` is the standard
// input. A catalogue is sorted by its keys, and loses what is not used any more.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUES, catalogueOf, catalogueProblems, formsOf, LANGUAGES, missingIn } from './check/texts.js';
import { ROOT } from './setup.js';

const [command, language, file] = process.argv.slice(2);
const commands = { missing, add };

if (!Object.hasOwn(commands, command ?? '') || !LANGUAGES.includes(language)) {
  console.error(`node scripts/texts.js missing|add ${LANGUAGES.join('|')} [FILE]`);
  process.exit(1);
}
commands[command]();

function missing() {
  const forms = Object.fromEntries(formsOf(language).map((form) => [form, '']));
  const entries = Object.values(CATALOGUES).flatMap(({ folder, keysOf }) => {
    const keys = keysOf();
    return missingIn(keys, catalogueOf(language, folder)).map((key) => [key, keys.get(key).isPlural ? forms : '']);
  });
  console.log(JSON.stringify(Object.fromEntries(entries), null, 2));
}

function add() {
  const filled = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  for (const { folder, keysOf } of Object.values(CATALOGUES)) {
    const keys = keysOf();
    const all = { ...catalogueOf(language, folder), ...filled };
    const kept = Object.keys(all).filter((key) => keys.has(key) && !isEmpty(all[key]));
    const catalogue = Object.fromEntries(kept.sort().map((key) => [key, all[key]]));
    writeFileSync(join(ROOT, folder, `${language}.json`), `${JSON.stringify(catalogue, null, 2)}\n`);
    const problems = catalogueProblems(language, keys, catalogue);
    for (const problem of problems) console.error(problem);
    console.error(`${folder}: ${kept.length} of ${keys.size} texts`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

function isEmpty(entry) {
  return typeof entry === 'string' ? entry === '' : Object.values(entry).every((text) => text === '');
}
