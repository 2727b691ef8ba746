import { DEFAULT_LOCALE } from '../parts/visitor.js';

/** Longest `Accept-Language` that is read. Browsers send less than a tenth of it. */
const MAX_LENGTH = 512;

const RANGE = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:;q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/i;

/**
 * Returns the locale that `Accept-Language` (RFC 9110, section 12.5.4) prefers, of those that this platform can format in.
 *
 * @returns `en-GB` for no such locale, and for a missing or an invalid header.
 */
export function visitorLocale(header: string | undefined): string {
  if (header === undefined || header.length > MAX_LENGTH) return DEFAULT_LOCALE;
  const ranges = header
    .split(',')
    .map((range) => RANGE.exec(range.replace(/\s+/g, '')))
    .map((match) => ({ tag: match?.[1] ?? '', quality: Number(match?.[2] ?? 1) }))
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return ranges.map(({ tag }) => supported(tag)).find((locale) => locale !== undefined) ?? DEFAULT_LOCALE;
}

function supported(tag: string): string | undefined {
  try {
    const [locale] = Intl.NumberFormat.supportedLocalesOf(tag);
    // Extensions such as `-u-nu-thai` choose other figures.
    return locale === undefined ? undefined : new Intl.Locale(locale).baseName;
  } catch {
    return undefined;
  }
}
