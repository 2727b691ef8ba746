import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { LANGUAGES } from '../../../platform/language/language.js';
import { PACKAGE_FOLDER } from '../../../platform/package-folder.js';
import { ACCENT_FILE_PATH, accentPreview, accentStylesheet } from '../styles/accent.js';
import { AREA_LAYOUT, AREAS } from '../styles/areas.js';
import { CHECKOUT, LISTS } from '../styles/contents.js';
import { CONTROLS, DECISIONS, FIELDS, FORMS } from '../styles/forms.js';
import { BASE, LAYOUT } from '../styles/layout.js';
import { COPY, DISCLOSURE, OVERVIEW, PANELS, PILL, PROSE, STEPS, TABLE, TASK_LIST } from '../styles/parts.js';
import { REFERENCE } from '../styles/reference.js';
import { TOKENS } from '../styles/tokens.js';
import { type Asset, assetOf, sendAsset } from './asset.js';
import { pageScript } from './page-script.js';

const FOLDER = join(PACKAGE_FOLDER, 'assets/fonts');

/** Characters of the extended file, the same as in the Google Fonts subset. */
const EXTENDED_RANGE =
  'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C0';

/** Font of every page. Pages preload it. */
export const UI_FONT: Asset = fontOf('geist-latin.woff2');

export const EXTENDED_UI_FONT: Asset = fontOf('geist-latin-ext.woff2');

/** The fallback has the font's widths and heights, so nothing moves when the font arrives. */
const FONT_FACES = `
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

export const PAGE_STYLESHEET: Asset = assetOf(
  'pages.css',
  'text/css; charset=utf-8',
  [
    ...[
      FONT_FACES,
      TOKENS,
      BASE,
      LAYOUT,
      CONTROLS,
      DECISIONS,
      PANELS,
      OVERVIEW,
      TABLE,
      PILL,
      COPY,
      STEPS,
      PROSE,
      TASK_LIST,
    ],
    ...[DISCLOSURE, FORMS, FIELDS, LISTS, AREAS, AREA_LAYOUT, CHECKOUT, REFERENCE],
  ]
    .join('\n')
    .trim(),
);

export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const scripts = Object.keys(LANGUAGES).map(pageScript);
  for (const asset of [PAGE_STYLESHEET, ...scripts, UI_FONT, EXTENDED_UI_FONT]) {
    router.get(asset.path, sendAsset(asset));
  }
  // The stylesheet and the preview of an accent depend on their address only, so browsers can cache them forever.
  router.get(ACCENT_FILE_PATH, (request, response) => {
    const [, digits, type = 'css'] = ACCENT_FILE_PATH.exec(request.path) ?? [];
    const accent = `#${digits}`;
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      // The page for a foreign host loads it from here.
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .type(type)
      .send(type === 'svg' ? accentPreview(accent) : accentStylesheet(accent));
  });
  return router;
}

function fontOf(name: string): Asset {
  return assetOf(name, 'font/woff2', readFileSync(join(FOLDER, name)));
}
