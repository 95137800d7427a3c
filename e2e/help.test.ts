import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startOwnerAndVisitor } from './harness/owner-and-visitor.ts';
import { axeProblems } from './harness/screen-checks.ts';

const TITLE = 'How do I send a lantern back?';
const TEXT = 'Within **thirty days**. Write to us, and we send you a label.';

const SCREENS = [
  ['on a desktop', { width: 1280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
] as const;

/** Makes the help centre with its first article, as somebody does who has never seen the screen. */
async function writeArticle(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard/help`);
  await page.getByRole('button', { name: 'Make the help centre and write' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(TITLE);
  await page.getByRole('textbox', { name: 'Text' }).fill(TEXT);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Published', exact: true }).waitFor();
}

/** @returns the address of the public pages */
async function showInWidget(page: Page, origin: string): Promise<string> {
  await page.goto(`${origin}/dashboard/help?tab=settings`);
  await page.getByRole('combobox', { name: 'In the widget' }).click();
  await page.getByRole('option', { name: 'Before a conversation' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  return (await page.getByRole('link', { name: 'Open the public page' }).getAttribute('href')) ?? '';
}

/** On a phone, the open panel covers the page, and its heading is not there for anybody. */
async function widgetProblems(page: Page): Promise<string[]> {
  return (await axeProblems(page)).filter((problem) => !problem.startsWith('page-has-heading-one'));
}

test.each(SCREENS)(
  '%s, a newcomer writes an article, and a visitor finds it in the widget and on its page',
  async (_, size) => {
    const people = await startOwnerAndVisitor({ strict: true });
    const { origin } = people.parley;
    const { staff, visitor } = people;
    try {
      await staff.page.setViewportSize(size);
      await visitor.page.setViewportSize(size);
      await writeArticle(staff.page, origin);
      const found = await axeProblems(staff.page);
      const address = await showInWidget(staff.page, origin);
      found.push(...(await axeProblems(staff.page)));

      await visitor.page.goto(people.host.url);
      const widget = visitor.page.locator('parley-widget');
      await visitor.widget.launcher.click();
      await widget.getByRole('button', { name: TITLE }).waitFor();
      found.push(...(await widgetProblems(visitor.page)));
      await widget.getByRole('button', { name: TITLE }).click();
      await widget.getByRole('heading', { name: TITLE }).waitFor();
      found.push(...(await widgetProblems(visitor.page)));
      expect(await widget.locator('.article strong').textContent()).toBe('thirty days');
      await widget.getByRole('button', { name: 'Yes', exact: true }).click();
      await widget.getByText('Thank you.').waitFor();

      // A person is one tap away, and the article shows above the field while the first message is typed.
      await widget.getByRole('button', { name: 'Ask a person' }).click();
      await visitor.widget.type('I want to send my lantern back please');
      await widget.getByRole('navigation', { name: 'Help articles' }).getByRole('button', { name: TITLE }).waitFor();
      await visitor.widget.composer.press('Enter');
      await expect.poll(visitor.widget.messages).toEqual(['I want to send my lantern back please']);

      // The public page needs no script, and its search finds the article.
      await visitor.page.goto(new URL(address, origin).href);
      await visitor.page.getByRole('searchbox').fill('lantern back');
      await visitor.page.getByRole('searchbox').press('Enter');
      await visitor.page.getByRole('main').getByRole('link', { name: TITLE }).click();
      await visitor.page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
      expect(await visitor.page.getByText('thirty days').count()).toBe(1);
      found.push(...(await axeProblems(visitor.page)));

      // Readings are counted together, for some seconds.
      const row = staff.page.getByRole('listitem').filter({ hasText: TITLE });
      await expect
        .poll(async () => {
          await staff.page.goto(`${origin}/dashboard/help`);
          return row.textContent();
        })
        .toContain('1 of 1 helped');
      found.push(...(await axeProblems(staff.page)));
      expect([...found, ...people.problems.flat()]).toEqual([]);
    } finally {
      await people.stop();
    }
  },
);
