import {
  firstReadable,
  hexOf,
  isReadable,
  LIGHTNESS_STEP,
  type Oklch,
  oklchOf,
  TEXT_CONTRAST,
} from '../../../platform/colours/oklch.js';
import { type ColourName, DARK_COLOURS, LIGHT_COLOURS } from './tokens.js';

/** Colours of one scheme that depend on a brand's accent, each `#rrggbb`. */
export interface AccentTokens {
  /** Links, icons and the focus ring. */
  readonly accent: string;
  /** Links under the pointer. */
  readonly accentStrong: string;
  /** Background of notes and selected rows. */
  readonly accentSoft: string;
  /** Text on `accent` and `accentStrong`. */
  readonly onAccent: string;
  /** Primary buttons: exactly the brand's accent. */
  readonly fill: string;
  /** Outline of primary buttons. It differs from `fill` only where the fill is hard to see on the page. */
  readonly fillLine: string;
  /** Primary buttons under the pointer. */
  readonly fillStrong: string;
  /** Text on `fill` and `fillStrong`. */
  readonly onFill: string;
}

/** Colours of one scheme that do not depend on the accent. */
export interface Scheme {
  /** Every background that the accent appears on. */
  readonly grounds: readonly string[];
  /** Every text colour that appears on `accentSoft`. */
  readonly texts: readonly string[];
  /** True if backgrounds are dark. */
  readonly isDark: boolean;
}

/** Schemes of the design tokens. */
export const LIGHT_SCHEME: Scheme = schemeOf(LIGHT_COLOURS, false);
export const DARK_SCHEME: Scheme = schemeOf(DARK_COLOURS, true);

/** Minimum contrast of graphics and of the outline of controls (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3;

/** Change of lightness under the pointer. */
const HOVER_STEP = 0.06;

/**
 * Derives the colours of a scheme from any accent. Every pair of text and background reaches 4.5:1, and the outline of
 * buttons reaches 3:1 against the page. It tries lighter or darker colours of the same hue until one does.
 */
export function accentTokens(hex: string, scheme: Scheme): AccentTokens {
  const { isDark, grounds, texts } = scheme;
  const brand = oklchOf(hex);
  const towards = isDark ? 1 : -1;
  const accentSoft = firstReadable(
    { ...brand, lightness: isDark ? 0.31 : 0.955, chroma: Math.min(brand.chroma, isDark ? 0.045 : 0.03) },
    { towards: isDark ? -1 : 1, against: texts, contrast: TEXT_CONTRAST },
  );
  const text = { towards, against: [...grounds, accentSoft], contrast: TEXT_CONTRAST } as const;
  const accent = firstReadable(brand, text);
  const darker = { ...oklchOf(accent), lightness: oklchOf(accent).lightness + towards * HOVER_STEP };
  const accentStrong = firstReadable(darker, text);
  const onFill = textOn([hex], brand);
  return {
    accent,
    accentStrong,
    accentSoft,
    onAccent: textOn([accent, accentStrong], brand),
    fill: hex,
    fillLine: firstReadable(brand, { towards, against: grounds, contrast: GRAPHIC_CONTRAST }),
    fillStrong: hovered(hex, onFill),
    onFill,
  };
}

/** Returns white, or a nearly black colour of the same hue where white is not readable. */
function textOn(backgrounds: readonly string[], { hue, chroma }: Oklch): string {
  if (isReadable('#ffffff', backgrounds, TEXT_CONTRAST)) return '#ffffff';
  const dark = { hue, chroma: Math.min(chroma, 0.03), lightness: 0.22 };
  return firstReadable(dark, { towards: -1, against: backgrounds, contrast: TEXT_CONTRAST });
}

/** Returns a darker or a lighter fill on which the text stays readable, or the fill itself. */
function hovered(fill: string, onFill: string): string {
  const colour = oklchOf(fill);
  for (let distance = HOVER_STEP; distance > 0; distance -= LIGHTNESS_STEP) {
    for (const change of [-distance, distance]) {
      const hex = hexOf({ ...colour, lightness: colour.lightness + change });
      if (hex !== fill && isReadable(hex, [onFill], TEXT_CONTRAST)) return hex;
    }
  }
  return fill;
}

function schemeOf(colours: Readonly<Record<ColourName, string>>, isDark: boolean): Scheme {
  const { ground, surface, sunken, text, muted } = colours;
  return { grounds: [ground, surface, sunken], texts: [text, muted], isDark };
}
