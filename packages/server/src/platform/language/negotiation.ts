import { defaultLocale, isLanguage, type Spoken } from './language.js';

/** Longest `Accept-Language` or `ui_locales` that is read, in characters. Browsers send less than a tenth of it. */
const MAX_LENGTH = 512;

const RANGE = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:;q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/i;

/** Returns the first requested language that the pages have, else English. The header also gives the region. */
export function negotiate(wishes: {
  chosen?: string | undefined;
  parameters?: URLSearchParams;
  header?: string | undefined;
}): Spoken {
  const { chosen = '', parameters = new URLSearchParams(), header } = wishes;
  const accepted = acceptedTags(header);
  const wished = [
    ...(isLanguage(chosen) ? [chosen] : []),
    requestedLanguage(parameters),
    ...accepted.map(languageOf),
  ];
  const language = wished.find((tag) => tag !== undefined && isLanguage(tag)) ?? 'en';
  const regional = accepted.filter((tag) => languageOf(tag) === language).map(formattedIn);
  return { language, locale: regional.find((tag) => tag !== undefined) ?? defaultLocale(language) };
}

export function requestedLanguage(parameters: URLSearchParams): string | undefined {
  return requestedTags(parameters).map(languageOf).find(isLanguage);
}

/** Returns the language of a tag: `pt` for `pt-BR`. */
function languageOf(tag: string): string {
  return isLanguage(tag) ? tag : (tag.toLowerCase().split(/[-_]/)[0] ?? '');
}

/** OpenID Connect Core, section 3.1.2.1. Includes those in the URL that a sign-in continues to. */
function requestedTags(parameters: URLSearchParams, depth = 0): string[] {
  const locales = parameters.get('ui_locales');
  if (locales !== null) return locales.length > MAX_LENGTH ? [] : locales.split(' ');
  const [, query] = /^\/[^?]*\?(.*)$/s.exec(parameters.get('continue') ?? '') ?? [];
  return query === undefined || depth > 1 ? [] : requestedTags(new URLSearchParams(query), depth + 1);
}

/** Returns the tags of `Accept-Language` (RFC 9110, section 12.5.4), best first. A missing or an invalid header has none. */
function acceptedTags(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_LENGTH) return [];
  return header
    .split(',')
    .map((range) => RANGE.exec(range.replace(/\s+/g, '')))
    .map((match) => ({ tag: match?.[1] ?? '', quality: Number(match?.[2] ?? 1) }))
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

function formattedIn(tag: string): string | undefined {
  try {
    const [locale] = Intl.NumberFormat.supportedLocalesOf(tag);
    // Extensions such as `-u-nu-thai` choose other digits. English without a region would use US dates.
    return locale === undefined || locale === 'en' ? undefined : new Intl.Locale(locale).baseName;
  } catch {
    return undefined;
  }
}
