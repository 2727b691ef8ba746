import { contrastOf, hexOf, type Oklch } from './oklch.js';

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** Change of lightness from one candidate to the next. */
export const LIGHTNESS_STEP = 0.004;

/** Where to look for a colour, and what it must be readable against. */
interface Search {
  /** 1 tries lighter colours, -1 darker ones. */
  readonly towards: 1 | -1;
  readonly against: readonly string[];
  /** Minimum contrast with each of the others. */
  readonly contrast: number;
}

/** Returns the first colour in the direction that is readable against all others; black or white if none is. */
export function firstReadable(start: Oklch, { towards, against, contrast }: Search): string {
  let lightness = Math.min(1, Math.max(0, start.lightness));
  for (; lightness >= 0 && lightness <= 1; lightness += towards * LIGHTNESS_STEP) {
    const hex = hexOf({ ...start, lightness });
    if (isReadable(hex, against, contrast)) return hex;
  }
  return towards === 1 ? '#ffffff' : '#000000';
}

/** Returns true if a colour has the contrast with each of the others. */
export function isReadable(hex: string, against: readonly string[], contrast: number): boolean {
  return against.every((other) => contrastOf(hex, other) >= contrast);
}
