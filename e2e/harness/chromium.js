import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { installedProgram, installWithApt, runInstaller } from '../../scripts/programs.js';
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
    installedProgram(NAMES, ELSEWHERE) ||
    (installWithApt('chromium') && installedProgram(NAMES)) ||
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
    installedProgram(SHELL_NAMES) ||
    (installWithApt('chromium-headless-shell') && installedProgram(SHELL_NAMES)) ||
    browser
  );
}

/** Starts Chromium, for a measurement. */
export function launchChromium() {
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
}

function installWithPlaywright() {
  return runInstaller(process.execPath, [join(ROOT, 'node_modules/playwright-core/cli.js'), 'install', 'chromium']);
}
