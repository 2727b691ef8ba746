import type { Page } from '@playwright/test';

/**
 * A language that no page has, for layouts.
 *
 * - `long`: English with accents and doubled vowels, about 1.4 times as long, as German and Finnish are.
 * - `arabic`: Arabic letters in a page that runs from right to left.
 */
export type PseudoLanguage = 'long' | 'arabic';

/** The texts and attributes of a page before its translation. */
type Originals = { restore(): void }[];

/**
 * Replaces the texts of the page, and of all shadow trees, as a translation would. Code, addresses and what people wrote
 * (`<bdi>`) stay. {@link restorePage} undoes it.
 */
export async function translatePage(page: Page, language: PseudoLanguage): Promise<void> {
  await page.evaluate((kind) => {
    const DOUBLED: Record<string, string> = { a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù' };
    const ARABIC = 'ابتجدرزسشصضطعغفقكلمنهويحخذ';
    const KEPT =
      'script, style, code, pre, kbd, samp, textarea, svg, bdi, input, [aria-hidden="true"], [translate="no"]';
    const lengthened = (text: string) =>
      text.replace(/[aeiou]/gi, (vowel) => {
        const [first = '', ...rest] = DOUBLED[vowel.toLowerCase()] ?? vowel;
        return `${vowel === vowel.toLowerCase() ? first : first.toUpperCase()}${rest.join('')}`;
      });
    const mirrored = (text: string) =>
      text.replace(
        /[a-z]/gi,
        (letter) => ARABIC[letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0)] ?? letter,
      );
    const isKept = (text: string) => /^\s*(\S+@\S+|https?:\/\/\S+|\/\S+)\s*$/.test(text);
    const originals: Originals = [];
    const setAttribute = (element: Element, name: string, value: string | null) => {
      const before = element.getAttribute(name);
      const set = (to: string | null) =>
        to === null ? element.removeAttribute(name) : element.setAttribute(name, to);
      originals.push({ restore: () => set(before) });
      set(value);
    };
    const translate = (root: Node): void => {
      for (const child of [...root.childNodes]) {
        if (child instanceof Text) {
          if (isKept(child.data)) continue;
          const { data } = child;
          originals.push({
            restore() {
              child.data = data;
            },
          });
          child.data = (kind === 'long' ? lengthened : mirrored)(data);
        } else if (child instanceof Element && !child.matches(KEPT)) {
          // A translated text has the direction of its language.
          if (kind === 'arabic' && child.getAttribute('dir') === 'ltr') setAttribute(child, 'dir', null);
          if (child.shadowRoot !== null) translate(child.shadowRoot);
          translate(child);
        }
      }
    };
    if (kind === 'arabic') {
      setAttribute(document.documentElement, 'dir', 'rtl');
      setAttribute(document.documentElement, 'lang', 'ar');
    }
    translate(document.body);
    Object.assign(globalThis, { originals });
  }, language);
}

/** Undoes {@link translatePage}. */
export async function restorePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { originals } = globalThis as unknown as { originals: Originals };
    for (const { restore } of originals) restore();
  });
}
