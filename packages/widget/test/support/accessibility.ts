import type Axe from 'axe-core';
import 'axe-core';
import { expect } from 'chai';

/** axe-core as a classic script. It defines a global variable instead of an export. */
const { axe } = globalThis as unknown as { axe: typeof Axe };

/** Fails with the accessibility rules that an element violates. */
export async function expectAccessible(element: Element): Promise<void> {
  // axe-core takes a page without a background for white, also where the colour scheme makes it black.
  document.documentElement.style.background = 'Canvas';
  const { violations } = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { region: { enabled: false } },
    // Other results take time, and no test uses them.
    resultTypes: ['violations'],
  });
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).to.deep.equal([]);
}
