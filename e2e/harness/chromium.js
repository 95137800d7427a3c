import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { fail, ROOT } from '../../scripts/setup.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  chromium.executablePath(),
];
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];

/** The path of a Chromium: `CHROMIUM_PATH`, an installed one, else one installed now. Ends the process when there is none. */
export function findChromium() {
  return (
    process.env.CHROMIUM_PATH ||
    installed(NAMES, ELSEWHERE) ||
    (installWithApt('chromium') && installed(NAMES)) ||
    (installWithPlaywright() && chromium.executablePath()) ||
    fail('The browser tests need Chromium: install it, or set CHROMIUM_PATH to its program file.')
  );
}

/**
 * The path of Chromium's headless shell: the same engine without the browser around it, which takes a third less
 * processor time. `HEADLESS_SHELL_PATH`, an installed one, else one installed now; without any, Chromium itself.
 * @param browser the path of that Chromium
 */
export function findHeadlessShell(browser) {
  return (
    process.env.HEADLESS_SHELL_PATH ||
    installed(SHELL_NAMES) ||
    (installWithApt('chromium-headless-shell') && installed(SHELL_NAMES)) ||
    browser
  );
}

/** Starts Chromium, for a measurement. */
export function launchChromium() {
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
}

function installed(names, elsewhere = []) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...inPath, ...elsewhere].find((file) => existsSync(file));
}

function installWithApt(name) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  return run('apt-get', ['update', '-q']) && run('apt-get', ['install', '-q', '-y', name]);
}

function installWithPlaywright() {
  return run(process.execPath, [join(ROOT, 'node_modules/playwright-core/cli.js'), 'install', 'chromium']);
}

function run(command, args) {
  console.log(`Installing Chromium: ${command} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}
