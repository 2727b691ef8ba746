import type Axe from 'axe-core';
import 'axe-core';
import { expect } from 'chai';

/** As a script in a page, which it is here, axe-core puts itself there instead of exporting. */
const { axe } = globalThis as unknown as { axe: typeof Axe };

/** Fails with the rules that an element breaks, as it stands on the page. */
export async function expectAccessible(element: Element): Promise<void> {
  // axe-core takes a page without a background for white, also where the colour scheme makes it black.
  document.documentElement.style.background = 'Canvas';
  const { violations } = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { region: { enabled: false } },
    // Nobody reads what it says of the rest, which takes time too.
    resultTypes: ['violations'],
  });
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).to.deep.equal([]);
}
