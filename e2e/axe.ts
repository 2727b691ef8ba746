import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Asserts that axe finds nothing on the page as it is now, but for what some rules say. */
export async function expectNoViolations(
  page: Page,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<void> {
  // Axe puts the results of several frames together in a window of its own, which takes it as long as reading a page does.
  expect(page.frames(), 'axe reads one frame').toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // Nobody reads what it says of the rest, which takes time too.
    .options({ resultTypes: ['violations'] })
    .disableRules([...except])
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
