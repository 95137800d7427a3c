import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Host names that are insecure contexts without TLS, unlike `localhost`.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];
/** How long an action may wait for its element: far more than it takes, even on a busy machine. */
const ACTION_TIMEOUT_MS = 60_000;

let running: Browser | undefined;

/** Chromium's headless shell that `npm test` found: one for all test files of a process, each with its own contexts. */
export async function sharedBrowser(): Promise<Browser> {
  if (!running?.isConnected()) running = await launch(process.env.HEADLESS_SHELL_PATH ?? process.env.CHROMIUM_PATH);
  return running;
}

/** A whole Chromium, for what its headless shell lacks. Whoever starts it closes it. */
export function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return launch(process.env.CHROMIUM_PATH, options);
}

function launch(executablePath: string | undefined, options: LaunchOptions = {}): Promise<Browser> {
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: run the browser tests with npm test');
  return chromium.launch({ executablePath, args: FLAGS, ...options });
}

/** Closes all contexts, for the next test file. */
export async function closeContexts(): Promise<void> {
  await Promise.all(running?.contexts().map((person) => person.close()) ?? []);
}

/**
 * A context with empty storage and an ordinary user agent, because Parley ignores bots. It asks for little motion, because each
 * frame of an animation is computed without a graphics card; journeys have all of it.
 */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const [major] = browser.version().split('.');
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ userAgent, viewport, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

/** Collects a page's problems: errors, policy violations, requests to origins that are not allowed. */
export function watch(page: Page, ...origins: string[]): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text())) {
      problems.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(origin)) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}
