import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/cluster/processes.js';
import { closeContexts, newContext, sharedBrowser, watch } from './harness/browser.ts';
import { startIdentityProvider } from './harness/identity-provider.js';
import { type Parley, startParley } from './harness/parley.ts';
import { axeProblems, checkScreens } from './harness/screen-checks.ts';

const LINK = '/dashboard/history?search=lantern';

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let parley: Parley;
let page: Page;
let problems: string[];

beforeAll(async () => {
  const port = await freePort();
  provider = await startIdentityProvider(`http://localhost:${port}`);
  parley = await startParley({ port, env: provider.env });
  page = await (await newContext(await sharedBrowser())).newPage();
  problems = watch(page, parley.origin, provider.issuer);
});
afterAll(async () => {
  await closeContexts();
  await parley.stop();
  provider.stop();
});

const signIn = () => page.getByRole('button', { name: 'Sign in with Acme ID' }).click();

test('somebody who opens a link signed out is there after the page of the provider', async () => {
  await page.goto(parley.origin + LINK);
  await signIn();
  await page.getByRole('link', { name: 'Continue as Mia' }).click();
  await page.waitForURL(parley.origin + LINK);
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
});

test('the settings show the connection', async () => {
  await page.goto(`${parley.origin}/dashboard/settings?tab=security`);
  await page.getByText('Set a password before you disconnect it.').waitFor();
  expect(await axeProblems(page)).toEqual([]);
});

test('the provider signs in again after signing out, and its logout ends the session of an open tab', async () => {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(`${parley.origin}/`);
  await page.goto(parley.origin + LINK);
  await signIn();
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  await provider.logOut();
  await page.waitForURL(`${parley.origin}/login`);
});

test('axe finds no problems in the pages that have the button of the provider', async () => {
  const found = await checkScreens(page, parley.origin, [{ path: '/login' }, { path: '/register' }]);
  // What a page was asking for when its session ended is refused.
  const unexpected = problems.filter((problem) => !problem.includes('status of 401'));
  expect([...found, ...unexpected]).toEqual([]);
});
