import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AREA_LAYOUT } from '../../src/web/kit/styles/areas.js';

/** Styles that arrange the parts of the design system. The look of the parts belongs to the parts. */
const FOLDER = new URL('../../../sandbox/src/styles/', import.meta.url);

const LAYOUT_PROPERTY = new RegExp(
  `^(?:${[
    ...[
      'display',
      'order',
      'position',
      'z-index',
      'columns',
      'content',
      'direction',
      'vertical-align',
      'list-style',
    ],
    ...[
      'grid(?:-.+)?',
      'flex(?:-.+)?',
      '(?:row-|column-)?gap',
      '(?:align|justify|place)-.+',
      'container(?:-.+)?',
    ],
    ...[
      'inset(?:-.+)?',
      'margin(?:-.+)?',
      'padding(?:-.+)?',
      '(?:min-|max-)?(?:inline|block)-size',
      'aspect-ratio',
    ],
    ...[
      'overflow(?:-.+)?',
      'white-space',
      'text-overflow',
      'scroll-.+',
      'object-fit',
      'unicode-bidi',
      'text-align',
    ],
  ].join('|')})$`,
);

const FILES = [
  { name: 'AREA_LAYOUT', source: AREA_LAYOUT },
  ...readdirSync(FOLDER)
    .map((name) => ({ name, source: readFileSync(new URL(name, FOLDER), 'utf8') }))
    .filter(({ source }) => source.includes('= `')),
];

/** Returns the properties in a stylesheet, or in a module that contains one. */
function propertiesIn(css: string): string[] {
  return [...css.matchAll(/[{;]\s*([a-z-]+)\s*:(?![^;{}]*\{)/g)].map(([, property = '']) => property);
}

describe('layout styles', () => {
  it.each(FILES)('in $name contain layout properties only', ({ source }) => {
    const properties = propertiesIn(source);
    expect(properties.length).toBeGreaterThan(0);
    expect(properties.filter((property) => !LAYOUT_PROPERTY.test(property))).toEqual([]);
  });

  it('would be rejected with a colour, a font, a border or a shadow', () => {
    const css =
      '.a { color: red; font-size: 1rem; border: 0; box-shadow: none; background: none; gap: 1rem; }';
    const rejected = propertiesIn(css).filter((property) => !LAYOUT_PROPERTY.test(property));
    expect(rejected).toEqual(['color', 'font-size', 'border', 'box-shadow', 'background']);
    expect(FILES).toHaveLength(2);
  });
});
