import { type AccentTokens, accentTokens, DARK_SCHEME, LIGHT_SCHEME } from './accent-tokens.js';

/** Accent as it is stored: `#rrggbb` in lower case. */
const ACCENT = /^#([0-9a-f]{6})$/;

/** Matches the paths of an accent's stylesheet and of its preview. The first group is the colour without its `#`. */
export const ACCENT_FILE_PATH = /^\/assets\/accent\.([0-9a-f]{6})\.(css|svg)$/;

/** Returns the path of the stylesheet of an accent, or `undefined` for text that is no accent. */
export function accentStylesheetPath(accent: string | null | undefined): string | undefined {
  return accentFilePath(accent, 'css');
}

/** Returns the path of the preview of an accent, or `undefined` for text that is no accent. */
export function accentPreviewPath(accent: string | null | undefined): string | undefined {
  return accentFilePath(accent, 'svg');
}

function accentFilePath(accent: string | null | undefined, type: 'css' | 'svg'): string | undefined {
  const digits = ACCENT.exec(accent ?? '')?.[1];
  return digits && `/assets/accent.${digits}.${type}`;
}

/** Returns the stylesheet that replaces the palette's accent by a brand's. A page links it after its own stylesheet. */
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
  return [
    `--accent: ${tokens.accent};`,
    `--accent-strong: ${tokens.accentStrong};`,
    `--accent-soft: ${tokens.accentSoft};`,
    `--on-accent: ${tokens.onAccent};`,
    `--fill: ${tokens.fill};`,
    `--fill-line: ${tokens.fillLine};`,
    `--fill-strong: ${tokens.fillStrong};`,
    `--on-fill: ${tokens.onFill};`,
  ].join('\n');
}
