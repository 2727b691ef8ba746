import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrastOf } from '../../src/platform/colours/oklch.js';
import * as styles from '../../src/styles.js';
import { PAGE_STYLESHEET } from '../../src/web/kit/frame/page-assets.js';
import { type ColourName, DARK_COLOURS, LIGHT_COLOURS } from '../../src/web/kit/styles/tokens.js';

const SCHEMES = [
  ['light', LIGHT_COLOURS],
  ['dark', DARK_COLOURS],
] as const;

const GROUNDS = ['ground', 'surface', 'sunken'] as const satisfies readonly ColourName[];

/** Text colours with every background that they appear on. */
const TEXTS: readonly (readonly [ColourName, readonly ColourName[]])[] = [
  ['text', [...GROUNDS, 'accent-soft', 'good-soft', 'warn-soft', 'danger-soft']],
  ['muted', [...GROUNDS, 'warn-soft']],
  ['accent', [...GROUNDS, 'accent-soft']],
  ['accent-strong', [...GROUNDS, 'accent-soft']],
  ['good', [...GROUNDS, 'good-soft']],
  ['warn', [...GROUNDS, 'warn-soft']],
  ['danger', [...GROUNDS, 'danger-soft']],
  ['on-accent', ['accent', 'accent-strong']],
  ['on-fill', ['fill', 'fill-strong']],
  ['on-danger', ['danger']],
  ['ribbon-text', ['ribbon']],
  ['on-tint', ['tint-0', 'tint-1', 'tint-2', 'tint-3', 'tint-4', 'tint-5']],
];

/** Outlines of controls and marks of focus, which WCAG 2.2 requires to be visible. */
const OUTLINES = ['line-strong', 'accent', 'fill', 'danger', 'good'] as const satisfies readonly ColourName[];

describe.each(SCHEMES)('colours of the %s scheme', (_name, colours) => {
  it.each(TEXTS)('%s has a contrast of 4.5:1 on each of its backgrounds', (text, grounds) => {
    for (const ground of grounds) {
      expect(contrastOf(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(OUTLINES)('%s has a contrast of 3:1 as the outline of a control', (outline) => {
    for (const ground of GROUNDS) {
      expect(contrastOf(colours[outline], colours[ground]), ground).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('colours', () => {
  it('have the same names in both schemes', () => {
    expect(Object.keys(DARK_COLOURS)).toEqual(Object.keys(LIGHT_COLOURS));
  });

  it('of the stylesheet are tokens: no other rule names a colour of its own', () => {
    const rules = PAGE_STYLESHEET.content.toString().replaceAll(/--[\w-]+: [^;]+;/g, '');
    const own = rules.match(/#[0-9a-f]{3,8}\b/gi) ?? [];
    expect(own).toEqual([]);
  });

  it('and sizes that the stylesheet uses are defined', () => {
    const css = PAGE_STYLESHEET.content.toString();
    const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    const missing = [...used].filter((name) => !css.includes(`${name}:`));
    expect(missing).toEqual([]);
  });
});

describe('@latchkey/server/styles', () => {
  it('exports non-empty CSS', () => {
    for (const [name, css] of Object.entries(styles)) {
      expect(css, name).toMatch(/\{[\s\S]+\}/);
    }
  });

  it('imports nothing but style files, so that browsers can load it', () => {
    const seen = new Set<string>();
    const visit = (url: URL) => {
      if (seen.has(url.href)) return;
      seen.add(url.href);
      for (const [, specifier = ''] of readFileSync(url, 'utf8').matchAll(
        /^(?:import|export|\}).* from '([^']+)'/gm,
      )) {
        expect(specifier).toMatch(/^\.{1,2}\//);
        visit(new URL(specifier.replace(/\.js$/, '.ts'), url));
      }
    };
    visit(new URL('../../src/styles.ts', import.meta.url));
    expect([...seen].filter((file) => !/\/(src\/styles|kit\/styles\/[\w-]+)\.ts$/.test(file))).toEqual([]);
    expect(seen.size).toBe(5);
  });
});
