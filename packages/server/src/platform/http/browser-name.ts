import { t } from '../language/language.js';

/** Browsers by a token of their `User-Agent`. Browsers that imitate others come first: Edge's contains `Chrome` and `Safari`. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS|Focus)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

/** Systems by a token of their `User-Agent`. Android's contains `Linux`, and an iPhone's `Mac OS X`. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** How many characters are searched. Real headers are shorter. */
const READ_CHARACTERS = 512;

/** Clients can send any header, so the result has fixed words only. Users don't recognise a browser by its version. */
export function browserNameOf(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, READ_CHARACTERS);
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(text))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}

/** Translates a result of {@link browserNameOf} to the current language. */
export function browserInWords(stored: string | null): string | null {
  const [browser = '', system] = stored?.split(' on ') ?? [];
  return system === undefined ? stored : t('{browser} on {system}', { browser, system });
}
