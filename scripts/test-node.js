// npm run test:node [-- 24]: the tests that show at once whether Parley runs on a version of Node, with the newest of these major
// versions from the package registry. They are few, to take about a minute.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ROOT } from './setup.js';

/** The newest version of Node that Parley is tested with. Raise it here, in README.md and in CONTRIBUTING.md. */
const NEWEST = '26';
/** A start, a chat from the first message to the last, downloads, and what the dashboard needs of a browser. */
const TESTS = [
  'e2e/journey.test.ts',
  'server/src/app/boot.test.ts',
  'server/src/features/exports/',
  'server/src/platform/http/endpoint/endpoint.test.ts',
  'client/src/app/',
  'client/src/features/auth/',
  'client/src/features/chats/',
  'client/src/features/inbox/',
  'client/src/lib/',
  'client/src/ui/',
];

const [major = NEWEST] = process.argv.slice(2);
if (!/^\d+$/.test(major)) fail('npm run test:node -- 26');

process.env.TEST_NODE = installNode(major);
const projects = new Set(TESTS.map((test) => `--project=${test.split('/', 1)[0]}`));
process.argv.splice(2, process.argv.length, ...projects, ...TESTS);
await import('./test.js');

/** Installs a version of Node into a folder of its own. @returns the path of its program */
function installNode(version) {
  const folder = join(ROOT, 'node_modules/.cache/parley/node', version);
  mkdirSync(folder, { recursive: true });
  // The package `node` would choose this one by a script, and npm may be told to run no scripts of packages.
  const isWindows = process.platform === 'win32';
  const kind = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = [kind, isWindows ? 'win' : process.platform, process.arch].join('-');
  const args = ['install', `${name}@${version}`, '--prefix', folder, '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: isWindows });
  if (status !== 0) fail(`Node ${version} could not be installed. See the npm error above.`);
  const installed = join(folder, 'node_modules', name);
  const program = join(installed, JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).bin.node);
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (!stdout?.startsWith(`v${version}.`)) fail(`${program} is not Node ${version}: ${error?.message ?? stdout}`);
  console.log(`Testing with Node ${stdout.trim()} …`);
  return program;
}
