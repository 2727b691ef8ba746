import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../../platform/package-folder.js';
import { type Asset, assetOf } from './asset.js';

const FOLDER = join(PACKAGE_FOLDER, 'assets/fonts');

/** Characters of the extended file, as in the subset of Google Fonts. */
const EXTENDED_RANGE =
  'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C0';

/** Font of every page. Pages preload it. */
export const UI_FONT: Asset = fontOf('geist-latin.woff2');

/** The same font with the letters of other Latin alphabets. */
export const EXTENDED_UI_FONT: Asset = fontOf('geist-latin-ext.woff2');

/**
 * Faces of the UI font, in the weights 400 to 600. The fallback has the widths and heights of the font, so that nothing moves
 * when it arrives: Geist has an ascent of 1.005 em and a descent of 0.295 em, and is 4.76 % wider than Arial.
 */
export const FONT_FACES = `
@font-face { font-family: "Geist"; font-weight: 400 600; font-display: swap; src: url("${UI_FONT.path}") format("woff2"); }
@font-face { font-family: "Geist"; font-weight: 400 600; font-display: swap; src: url("${EXTENDED_UI_FONT.path}") format("woff2"); unicode-range: ${EXTENDED_RANGE}; }
@font-face {
  font-family: "Geist fallback";
  src: local("Arial"), local("Liberation Sans"), local("Roboto");
  size-adjust: 104.76%;
  ascent-override: 95.94%;
  descent-override: 28.16%;
  line-gap-override: 0%;
}
`;

function fontOf(name: string): Asset {
  return assetOf(name, 'font/woff2', readFileSync(join(FOLDER, name)));
}
