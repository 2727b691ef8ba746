import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Asserts that axe finds no violation on the page, except of the excluded rules. */
export async function expectNoViolations(
  page: Page,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<void> {
  // For several frames, axe merges the results in a window of its own. That takes as long as reading a page.
  expect(page.frames(), 'axe reads one frame').toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // Results other than violations aren't used, and take time to collect.
    .options({ resultTypes: ['violations'] })
    .disableRules([...except])
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
