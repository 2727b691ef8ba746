import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Asserts that axe finds nothing on the page as it is now, or in some parts of it, or by other than some rules. */
export async function expectNoViolations(
  page: Page,
  { parts = [], except = [] }: { parts?: readonly string[]; except?: readonly string[] } = {},
): Promise<void> {
  const axe = new AxeBuilder({ page }).disableRules([...except]);
  for (const part of parts) axe.include(part);
  const { violations } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
