import { type AccentTokens, accentTokens, DARK_SCHEME, LIGHT_SCHEME } from './accent-tokens.js';
import { DARK_COLOURS, LIGHT_COLOURS } from './tokens.js';

/** Size of the preview in CSS pixels. */
export const PREVIEW_SIZE = { width: 336, height: 84 } as const;

const HALF = PREVIEW_SIZE.width / 2;

/** Returns a picture of a button and a link in the colours of an accent, on a light and on a dark page, as SVG. */
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
