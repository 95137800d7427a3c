import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong on a page as it stands, open shadow roots included: one sentence each. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Evaluated rather than added as a script tag, which the page's own policy would refuse.
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (tags) => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ runOnly: tags }),
    RULES,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.flat().join(' ')} (${failureSummary ?? ''})`),
  );
}
