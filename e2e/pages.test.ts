import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeProblems } from './harness/axe.ts';
import { newPerson, watch } from './harness/browser.ts';
import { type Stage, setStage } from './harness/stage.ts';

const PUBLIC_SCREENS = ['/', '/login', '/register', '/docs', '/features', '/privacy', '/404'];
const DASHBOARD_SCREENS = [
  '/dashboard',
  '/dashboard/inbox',
  '/dashboard/sites',
  '/dashboard/sites/new',
  '/dashboard/history',
  '/dashboard/team',
  '/dashboard/settings',
  '/admin',
];
const SITE_TABS = ['', '?tab=customization', '?tab=team', '?tab=embed'];
const SCHEMES = ['light', 'dark'] as const;
const PHONE = { width: 360, height: 740 };

let stage: Stage;
let chatPath: string;
let sitePath: string;
beforeAll(async () => {
  stage = await setStage({ strict: true });
});
afterAll(() => stage.stop());

test('there is a site and a conversation to look at', async () => {
  const { staff, visitor } = stage;
  await visitor.widget.open();
  await visitor.widget.send('See https://example.com/a-page?with=query and tell me');
  await expect.poll(staff.inbox.rows).toHaveLength(1);
  await staff.inbox.openChat(0);
  await staff.inbox.claim();
  await staff.inbox.send('A first answer');
  await expect.poll(staff.inbox.state).toBe('Read');
  const { pathname, search } = new URL(staff.page.url());
  chatPath = pathname + search;
  await staff.page.goto(`${stage.parley.origin}/dashboard/sites`);
  const settings = staff.page.locator('a[href^="/dashboard/sites/"]:not([href$="/new"])').first();
  sitePath = ((await settings.getAttribute('href')) ?? '').split('/').slice(0, 4).join('/');
  expect(sitePath).toMatch(/[0-9a-f]{24}$/);
});

describe.each(SCHEMES)('in %s', (colorScheme) => {
  test('axe finds nothing on any screen, wide or on a phone, and no page misbehaves', async () => {
    const { staff, parley } = stage;
    const stranger = await newPerson(stage.browser, { colorScheme, reducedMotion: 'reduce' });
    const strangersPage = await stranger.newPage();
    const problems = watch(strangersPage, parley.origin);
    const found = await look(strangersPage, parley.origin, PUBLIC_SCREENS);
    await stranger.close();

    await staff.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const tabs = SITE_TABS.map((tab) => sitePath + tab);
    found.push(...(await look(staff.page, parley.origin, [...DASHBOARD_SCREENS, ...tabs, chatPath])));
    expect(found).toEqual([]);
    expect([...problems, ...stage.problems.flat()]).toEqual([]);
  });

  test('axe finds nothing in the widget, open or closed', async () => {
    const { page, widget } = stage.visitor;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.reload();
    await expect.poll(widget.messages).toHaveLength(2);
    const open = await axeProblems(page);
    await widget.launcher.click();
    await widget.composer.waitFor({ state: 'hidden' });
    expect([...open, ...(await axeProblems(page))]).toEqual([]);
    await widget.open();
  });
});

/** What axe finds on these paths of an origin, at a wide and at a narrow window. */
async function look(page: Page, origin: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(origin + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0);
    found.push(...(await axeProblems(page)).map((problem) => `${path}: ${problem}`));
    await page.setViewportSize(PHONE);
    found.push(...(await axeProblems(page)).map((problem) => `${path} (phone): ${problem}`));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) found.push(`${path} (phone): scrolls sideways by ${overflow} px`);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  return found;
}
