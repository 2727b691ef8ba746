import { describe, expect, it } from 'vitest';
import { DOCS, HOME, TOOLS } from '../src/styles/sandbox-stylesheet.js';

/** Properties that belong to the parts of the design system. */
const LOOKS =
  /^(?:color|background|border|outline|box-shadow|font|letter-spacing|text-decoration|fill|stroke|opacity)/;

describe.each(Object.entries({ DOCS, HOME, TOOLS }))('the stylesheet %s', (_name, styles) => {
  it('contains layout only', () => {
    const properties = [...styles.matchAll(/[{;]\s*([a-z-]+)\s*:/g)].map(([, property]) => property ?? '');
    expect(properties.length).toBeGreaterThan(10);
    expect(properties.filter((property) => LOOKS.test(property))).toEqual([]);
  });
});
