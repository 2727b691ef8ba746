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
export type AccentTokens = ReturnType<typeof accentTokens>;

export type Scheme = ReturnType<typeof schemeOf>;

export const LIGHT_SCHEME = schemeOf(LIGHT_COLOURS, false);
export const DARK_SCHEME = schemeOf(DARK_COLOURS, true);

/** Minimum contrast of graphics and of the outline of controls (WCAG 2.2, 1.4.11). */
const GRAPHIC_CONTRAST = 3;

/** Change of lightness under the pointer. */
const HOVER_STEP = 0.06;

/** Text reaches 4.5:1, and the outline of buttons 3:1 against the page, in other shades of the same hue. */
export function accentTokens(hex: string, scheme: Scheme) {
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
    /** Links, icons and the focus ring. */
    accent,
    accentStrong,
    /** Background of notes and selected rows. */
    accentSoft,
    onAccent: textOn([accent, accentStrong], brand),
    /** Primary buttons: exactly the brand's accent. */
    fill: hex,
    /** Outline of primary buttons. It differs from `fill` only if the fill is hard to see on the page. */
    fillLine: firstReadable(brand, { towards, against: grounds, contrast: GRAPHIC_CONTRAST }),
    fillStrong: hovered(hex, onFill),
    onFill,
  };
}

/** Returns white, or a nearly black colour of the same hue if white isn't readable. */
function textOn(backgrounds: readonly string[], { hue, chroma }: Oklch): string {
  if (isReadable('#ffffff', backgrounds, TEXT_CONTRAST)) return '#ffffff';
  const dark = { hue, chroma: Math.min(chroma, 0.03), lightness: 0.22 };
  return firstReadable(dark, { towards: -1, against: backgrounds, contrast: TEXT_CONTRAST });
}

/** Returns a darker or lighter fill on which the text stays readable, or the fill itself. */
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

function schemeOf(colours: Readonly<Record<ColourName, string>>, isDark: boolean) {
  const { ground, surface, sunken, text, muted } = colours;
  return {
    grounds: [ground, surface, sunken],
    /** Every text colour that appears on `accentSoft`. */
    texts: [text, muted],
    isDark,
  };
}

/** An accent as stored: `#rrggbb` in lower case. */
const ACCENT = /^#([0-9a-f]{6})$/;

/** Matches the paths of an accent's stylesheet and of its preview. The first group is the colour without its `#`. */
export const ACCENT_FILE_PATH = /^\/assets\/accent\.([0-9a-f]{6})\.(css|svg)$/;

/** Returns the path of the stylesheet or the preview of an accent, or `undefined` for anything that isn't an accent. */
export function accentFilePath(accent: string | null | undefined, type: 'css' | 'svg'): string | undefined {
  const digits = ACCENT.exec(accent ?? '')?.[1];
  return digits && `/assets/accent.${digits}.${type}`;
}

/** Replaces the palette's accent. A page links it after its own stylesheet. */
export function accentStylesheet(accent: string): string {
  return `:root {
${declarations(accentTokens(accent, LIGHT_SCHEME))}
}
@media (prefers-color-scheme: dark) {
:root {
${declarations(accentTokens(accent, DARK_SCHEME))}
}
}
`;
}

function declarations(tokens: AccentTokens): string {
  const propertyOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(tokens)
    .map(([name, colour]) => `--${propertyOf(name)}: ${colour};`)
    .join('\n');
}

export const PREVIEW_SIZE = { width: 336, height: 84 } as const;

const HALF = PREVIEW_SIZE.width / 2;

/** Returns an SVG of a button and a link in the colours of an accent, on a light and on a dark page. */
export function accentPreview(accent: string): string {
  const { width, height } = PREVIEW_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="14" text-anchor="middle">
${half(0, LIGHT_COLOURS.surface, accentTokens(accent, LIGHT_SCHEME))}
${half(HALF, DARK_COLOURS.surface, accentTokens(accent, DARK_SCHEME))}
</svg>
`;
}

function half(start: number, ground: string, tokens: AccentTokens): string {
  const middle = start + HALF / 2;
  return `<rect x="${start}" width="${HALF}" height="${PREVIEW_SIZE.height}" fill="${ground}"/>
<rect x="${start + 20}" y="14" width="${HALF - 40}" height="34" rx="8" fill="${tokens.fill}" stroke="${tokens.fillLine}"/>
<text x="${middle}" y="36" font-weight="600" fill="${tokens.onFill}">Button</text>
<text x="${middle}" y="69" text-decoration="underline" fill="${tokens.accent}">Link</text>`;
}
