import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeProblems } from './axe.ts';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };

/** A screen to look at. */
export interface Screen {
  path: string;
  /** The names of what is pressed on it, one after the other. */
  press?: readonly string[];
  /** The role of what comes up then. */
  shows?: 'dialog' | 'alertdialog' | 'menu' | 'listbox';
}

/** What is wrong with these screens, wide and on a phone, in light and in dark: what axe finds, and scrolling sideways. */
export async function look(page: Page, origin: string, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize(WIDE);
    await open(page, origin, screen);
    const note = async (where: string, colorsOnly: boolean) => {
      const problems = await axeProblems(page, { colorsOnly });
      found.push(...problems.map((problem) => `${nameOf(screen)} (${where}): ${problem}`));
    };
    await note('wide', false);
    await darken(page);
    await note('wide, dark', true);
    await page.setViewportSize(PHONE);
    await note('phone, dark', false);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) found.push(`${nameOf(screen)} (phone): scrolls sideways by ${overflow} px`);
  }
  return found;
}

async function open(page: Page, origin: string, { path, press = [], shows }: Screen): Promise<void> {
  await page.goto(origin + path);
  // Behind an open panel it is there for nobody's ears.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
  for (const name of press) {
    const by = (role: 'button' | 'menuitem' | 'switch') => page.getByRole(role, { name, exact: true });
    const control = by('button')
      .or(by('menuitem'))
      .or(by('switch'))
      .or(page.locator('summary', { hasText: name }));
    await control.first().click();
  }
  if (shows) await page.getByRole(shows).first().waitFor();
}

async function darken(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme=dark]').waitFor();
}

const nameOf = ({ path, press = [] }: Screen) => [path, ...press].join(' > ');
