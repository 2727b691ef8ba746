import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Asserts that axe finds nothing on the page as it is now, but for what some rules say. */
export async function expectNoViolations(
  page: Page,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .disableRules([...except])
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
