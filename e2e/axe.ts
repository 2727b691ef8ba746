import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type * as axe from 'axe-core';

/** The minified script, which browsers parse in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

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
  return await page.evaluate(findViolations, { except, hasFrames });
}

/** Runs axe, which the page has loaded. The builder of `@axe-core/playwright` would ask the page five times more. */
async function findViolations({ except, hasFrames }: { except: readonly string[]; hasFrames: boolean }) {
  const { run } = (window as unknown as { axe: typeof axe }).axe;
  const { violations } = await run(hasFrames ? { exclude: [['iframe']] } : document, {
    // Results other than violations aren't used, and take time to collect. A frame without scripts would never answer.
    ...{ resultTypes: ['violations'], iframes: false },
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    runOnly: {
      type: 'tag',
      values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    },
  });
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
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
