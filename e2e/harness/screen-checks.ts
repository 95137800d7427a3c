import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The problems that axe finds on the current page, open shadow roots included.
 * @param role checks only the element with this role, for dialogs and menus over a page that is checked elsewhere
 */
export async function axeProblems(page: Page, role?: string): Promise<string[]> {
  // Evaluated: the page's policy would refuse a script tag.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const results = await page.evaluate(
    ([context, options]) =>
      (window as unknown as { axe: { run(context: string, options: object): Promise<AxeResults> } }).axe.run(
        context,
        options,
      ),
    [
      role ? `[role=${role}]` : 'html',
      { runOnly: RULES, resultTypes: ['violations'], preload: { assets: ['media'] } },
    ] as const,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.flat().join(' ')} (${failureSummary ?? ''})`),
  );
}

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
/** A screen of the dashboard to navigate from. */
const BETWEEN = { path: '/dashboard/self-check', title: 'Self-check' };

/** A screen to check. */
export interface Screen {
  path: string;
  /** The names of the controls to click, one after the other, or the beginning of a name. */
  press?: readonly (string | RegExp)[];
  /** The role of what opens then. */
  shows?: 'dialog' | 'alertdialog' | 'menu' | 'listbox';
}

/**
 * The problems of these screens, wide and on a phone: what axe finds, and horizontal scrolling. One screen is wide in light and
 * narrow in dark, the next the other way round, so that shared parts are seen in all four.
 */
export async function checkScreens(page: Page, origin: string, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const [i, screen] of screens.entries()) {
    const [first, second] = i % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
    const note = async (where: string) => {
      const problems = await axeProblems(page, screen.shows);
      found.push(...problems.map((problem) => `${nameOf(screen)} (${where}): ${problem}`));
    };
    await page.emulateMedia({ colorScheme: first, reducedMotion: 'reduce' });
    await page.setViewportSize(WIDE);
    await open(page, origin, screen);
    await page.locator(`html[data-theme=${first}]`).waitFor();
    await note(`wide, ${first}`);
    await page.emulateMedia({ colorScheme: second, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${second}]`).waitFor();
    await page.setViewportSize(PHONE);
    await note(`phone, ${second}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) found.push(`${nameOf(screen)} (phone): scrolls sideways by ${overflow} px`);
  }
  return found;
}

async function open(page: Page, origin: string, { path, press = [], shows }: Screen): Promise<void> {
  if (isOfDashboard(path) && isOfDashboard(new URL(page.url()).pathname)) await goWithin(page, path);
  else await page.goto(origin + path);
  // Not `visible`: behind an open dialog it is hidden from the accessibility tree.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
  for (const name of press) {
    const by = (role: 'button' | 'menuitem' | 'switch' | 'checkbox') => page.getByRole(role, { name, exact: true });
    const control = by('button')
      .or(by('menuitem'))
      .or(by('switch'))
      .or(by('checkbox'))
      .or(page.locator('summary', { hasText: name }));
    await control.first().click();
  }
  if (shows) await page.getByRole(shows).first().waitFor();
}

const isOfDashboard = (path: string) => path.startsWith('/dashboard') || path.startsWith('/admin');

/** Navigates as links do, which is faster than a load. An open dialog closes on the way. */
async function goWithin(page: Page, path: string): Promise<void> {
  const go = (to: string) =>
    page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
  await go(BETWEEN.path);
  await page.locator('h1', { hasText: BETWEEN.title }).waitFor({ state: 'attached' });
  if (path === BETWEEN.path) return;
  await go(path);
  await page.locator('h1', { hasNotText: BETWEEN.title }).first().waitFor({ state: 'attached' });
}

const nameOf = ({ path, press = [] }: Screen) => [path, ...press].join(' > ');
