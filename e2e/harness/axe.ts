import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds wrong on a page as it stands, open shadow roots included: one sentence each.
 * @param role of what has come up over the page; then only there is looked, the page having been seen before
 */
export async function axeProblems(page: Page, role?: string): Promise<string[]> {
  // Evaluated rather than added as a script tag, which the page's own policy would refuse.
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
