import { it as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../../scripts/fuzz-runs.mjs';
import { hexOf, oklchOf } from '../../../platform/colours/oklch.js';
import {
  type AccentTokens,
  accentFilePath,
  accentStylesheet,
  accentTokens,
  DARK_SCHEME,
  LIGHT_SCHEME,
  type Scheme,
} from './accent.js';

const hexDigits = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`;
const anyAccent = fc.integer({ min: 0, max: 0xffffff }).map(hexDigits);

/** Contrast ratio as WCAG 2.2 defines it, written independently of the code under test. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
      const c = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Pairs of tokens that a page puts on each other, with the contrast that each needs. */
function pairs(tokens: AccentTokens, { grounds, texts }: Scheme): [string, string, string, number][] {
  const { accent, accentStrong, accentSoft, onAccent, fill, fillLine, fillStrong, onFill } = tokens;
  return [
    ...[...grounds, accentSoft].flatMap((ground): [string, string, string, number][] => [
      ['accent', accent, ground, 4.5],
      ['accentStrong', accentStrong, ground, 4.5],
    ]),
    ...grounds.flatMap((ground): [string, string, string, number][] => [['fillLine', fillLine, ground, 3]]),
    ...texts.map((text): [string, string, string, number] => ['text on soft', text, accentSoft, 4.5]),
    ['onAccent', onAccent, accent, 4.5],
    ['onAccent on strong', onAccent, accentStrong, 4.5],
    ['onFill', onFill, fill, 4.5],
    ['onFill on strong', onFill, fillStrong, 4.5],
  ];
}

function unreadable(accent: string) {
  return [LIGHT_SCHEME, DARK_SCHEME].flatMap((scheme) =>
    pairs(accentTokens(accent, scheme), scheme).filter(
      ([, one, other, least]) => contrast(one, other) < least,
    ),
  );
}

describe('accent', () => {
  it.each([
    ['white', '#ffffff'],
    ['black', '#000000'],
    ['yellow', '#ffff00'],
    ['neon green', '#39ff14'],
    ['neon pink', '#ff10f0'],
    ['cyan', '#00ffff'],
    ['blue', '#0000ff'],
    ['mid grey', '#777777'],
    ['the light background', '#f4f5f3'],
    ['the dark background', '#171f1c'],
  ])('%s gives readable colours in both schemes', (_name, accent) => {
    expect(unreadable(accent)).toEqual([]);
  });

  property.prop([anyAccent], fuzzRuns(2000))(
    'of any colour gives readable colours in both schemes',
    (accent) => {
      expect(unreadable(accent)).toEqual([]);
    },
  );

  property.prop([anyAccent], fuzzRuns(100))('is the fill of buttons, unchanged', (accent) => {
    for (const scheme of [LIGHT_SCHEME, DARK_SCHEME]) expect(accentTokens(accent, scheme).fill).toBe(accent);
  });

  it('is used unchanged in texts and outlines where it is readable', () => {
    expect(accentTokens('#a8481a', LIGHT_SCHEME)).toMatchObject({ accent: '#a8481a', fillLine: '#a8481a' });
    expect(accentTokens('#ffb27a', DARK_SCHEME)).toMatchObject({ accent: '#ffb27a', fillLine: '#ffb27a' });
  });

  property.prop([anyAccent], fuzzRuns(100))('keeps its hue', (accent) => {
    const brand = oklchOf(accent);
    fc.pre(brand.chroma > 0.08);
    for (const scheme of [LIGHT_SCHEME, DARK_SCHEME]) {
      const derived = oklchOf(accentTokens(accent, scheme).accent);
      fc.pre(derived.chroma > 0.04);
      expect(Math.abs(Math.sin((derived.hue - brand.hue) / 2))).toBeLessThan(0.1);
    }
  });

  property.prop([anyAccent], fuzzRuns(100))(
    'has a stylesheet of a few declarations with colours only',
    (accent) => {
      const css = accentStylesheet(accent);
      expect(css.match(/--[a-z-]+: #[0-9a-f]{6};/g)).toHaveLength(16);
      expect(
        css
          .replace(/--[a-z-]+: #[0-9a-f]{6};/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ).toBe(':root { } @media (prefers-color-scheme: dark) { :root { } }');
    },
  );

  it.each([null, undefined, '', '#fff', 'red', '#B4541A', '#b4541a.css/../x', '"><script>'])(
    '%j has no stylesheet',
    (accent) => {
      expect(accentFilePath(accent, 'css')).toBeUndefined();
    },
  );
});

describe('conversion to Oklch', () => {
  property.prop([anyAccent], fuzzRuns(100))('and back returns the same colour', (hex) => {
    expect(hexOf(oklchOf(hex))).toBe(hex);
  });
});
