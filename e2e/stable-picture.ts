import { expect, type Page } from '@playwright/test';

/**
 * Largest difference to the stored picture. The edges of letters vary between versions of a browser, so a colour may differ by a
 * fifth. Beyond that, 1,000 pixels may differ, which is less than a button has. Other systems than Linux draw wider or thinner
 * letters, so 5 % of the pixels may differ there.
 */
const TOLERANCE = {
  threshold: 0.2,
  ...(process.platform === 'linux' ? { maxDiffPixels: 1_000 } : { maxDiffPixelRatio: 0.05 }),
};

/** Asserts that the page looks as in the stored picture `name`. Values that differ in each run are replaced before. */
export async function expectPicture(
  page: Page,
  name: string,
  { fullPage = true }: { fullPage?: boolean } = {},
): Promise<void> {
  // Buttons that decide something look different until a press on them counts.
  await expect(page.locator('html')).not.toHaveAttribute('data-settling');
  await page.evaluate(replaceRandomValues);
  await page.evaluate(useShippedFonts);
  await expect(page).toHaveScreenshot(`${name}.png`, { fullPage, ...TOLERANCE });
}

/** Asserts that the page looks different from the stored picture `name`. */
export async function expectOtherPicture(page: Page, name: string): Promise<void> {
  await page.evaluate(replaceRandomValues);
  await page.evaluate(useShippedFonts);
  await expect(page).not.toHaveScreenshot(`${name}.png`, { fullPage: true, ...TOLERANCE });
}

/** Code is set in the font of the texts, because the fixed-width font is the system's. */
async function useShippedFonts(): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ':root { --mono: var(--font) !important } code, pre, kbd { font-family: var(--font) !important }',
  );
  document.adoptedStyleSheets.push(sheet);
  await document.fonts.ready;
}

/** Replaces ports, sign-in codes, random ids and secrets by constants of the same length, in all shadow trees and in fields. */
function replaceRandomValues(): void {
  const stable = (text: string) =>
    text
      .replace(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:4400')
      .replace(/\b(?!5eed)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) =>
        id.replace(/[0-9a-f]/g, '0'),
      )
      .replace(/\b\d{6}\b/g, '000000')
      .replace(/\b(?!5eed|c0ffee)[0-9a-f]{24,}\b/g, (secret) => '0'.repeat(secret.length))
      .replace(/\b(?!svc_|ocs_|5eed)(?=[\w-]*[A-Z])(?=[\w-]*[\d_])[\w-]{32,}/g, (secret) =>
        '0'.repeat(secret.length),
      )
      .replace(/\bsvc_(?!sandbox)[A-Za-z0-9_-]{20,}/g, (key) => `svc_${'0'.repeat(key.length - 4)}`);
  const walk = (root: Node): void => {
    for (const child of root.childNodes) {
      if (child instanceof Text && stable(child.data) !== child.data) child.data = stable(child.data);
      if (child instanceof HTMLInputElement || child instanceof HTMLTextAreaElement) {
        if (stable(child.value) !== child.value) child.value = stable(child.value);
      }
      if (child instanceof Element && child.shadowRoot !== null) walk(child.shadowRoot);
      walk(child);
    }
  };
  walk(document.body);
}
