import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

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
