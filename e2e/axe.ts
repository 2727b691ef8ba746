import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The minified script, which browsers parse in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The builder runs its script before every analysis, twice. A page keeps axe, so the script has to do nothing. */
const NOTHING = 'undefined';

/** Asserts that axe finds no violation on the page, except of the excluded rules. */
export async function expectNoViolations(
  page: Page,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<void> {
  expect(await violationsOf(page, { except })).toEqual([]);
}

/**
 * Returns what axe finds on the page, except for the excluded rules: each rule with its elements.
 *
 * @param options.hasFrames True if the page may have frames. Their contents are not checked.
 */
export async function violationsOf(
  page: Page,
  { except = [], hasFrames = false }: { except?: readonly string[]; hasFrames?: boolean } = {},
): Promise<string[]> {
  // For several frames, axe merges the results in a window of its own. That takes as long as reading a page.
  if (!hasFrames) expect(page.frames(), 'axe reads one frame').toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await page.evaluate(transitionsDone);
  const builder = new AxeBuilder({ page, axeSource: NOTHING }).setLegacyMode();
  if (hasFrames) builder.exclude('iframe');
  const { violations } = await builder
    // Results other than violations aren't used, and take time to collect. A frame without scripts would never answer.
    .options({ resultTypes: ['violations'], iframes: false })
    .disableRules([...except])
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Waits until no color changes any more. In the middle of a transition, the contrast can be too low for a moment. */
async function transitionsDone(): Promise<void> {
  const transitionsIn = (root: Document | ShadowRoot): Animation[] => [
    ...root.getAnimations().filter((animation) => animation instanceof CSSTransition),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
      shadowRoot ? transitionsIn(shadowRoot) : [],
    ),
  ];
  await Promise.allSettled(transitionsIn(document).map(({ finished }) => finished));
}
