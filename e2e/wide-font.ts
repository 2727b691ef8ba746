import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

/** Lexend Giga, about a third wider than the fonts that systems install. */
const FILE = fileURLToPath(
  import.meta.resolve('@fontsource/lexend-giga/files/lexend-giga-latin-500-normal.woff2'),
);

/** Replaces every font of the page, proportional and monospace, in the widget's shadow trees too. */
export async function useWideFont(page: Page): Promise<void> {
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    // Bytes need no exception from the page's Content-Security-Policy.
    document.fonts.add(new FontFace('Wide', bytes));
    const sheet = new CSSStyleSheet();
    // A gate passes the custom property on to the button in its shadow tree.
    sheet.replaceSync(`* { font-family: Wide !important }
      latchkey-gate { --latchkey-font: 500 0.9375rem / 1.4 Wide !important }`);
    document.adoptedStyleSheets.push(sheet);
    // The page loads a font when it first lays out text in it. Pages measure their texts again when they are resized.
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    dispatchEvent(new Event('resize'));
  }, readFileSync(FILE).toString('base64'));
}

/** True if the page renders text in the wide font. */
export function usesWideFont(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    return document.fonts.check('16px Wide') && getComputedStyle(document.body).fontFamily === 'Wide';
  });
}
