import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** Languages of the pages and emails, each with its name in that language. The widget has the same ones. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ja: '日本語',
  ar: 'العربية',
};

/** The translation of a string, or its plural forms by the categories of `Intl.PluralRules`, chosen by the value `count`. */
type Translation = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The translations of one language, by English string. English itself has only plural forms. */
export type Messages = Readonly<Record<string, Translation>>;

export interface Spoken {
  readonly language: string;
  /** Locale of numbers, prices and dates: the language, and the visitor's region if it's known. */
  readonly locale: string;
}

/** The language of a request. It can change until the request's form is read. */
interface Speaking {
  spoken: Spoken;
  /** Returns the language of the request if it has these parameters too. Missing for work in one language only. */
  readonly withParameters?: ((parameters: URLSearchParams) => Spoken) | undefined;
}

const ENGLISH: Spoken = { language: 'en', locale: 'en-GB' };

const speaking = new AsyncLocalStorage<Speaking>();

const added = new Map<string, Messages>();
const known = new Map<string, Messages>();

/** English string, which {@link addMessages} can translate, with the names that its placeholders stand for. */
export interface AddedNote {
  readonly text: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** Adds translations: for strings that another package shows on these pages, or for a language that only a test speaks. */
export function addMessages(language: string, messages: Messages): void {
  added.set(language, { ...added.get(language), ...messages });
  known.delete(language);
}

/** True for a language that the pages are translated to. Anything else in a request is ignored. */
export function isLanguage(language: string): boolean {
  return Object.hasOwn(LANGUAGES, language) || added.has(language);
}

/** Runs work in one language, including the calls that it makes later. */
export function speak<Result>(
  language: string,
  work: () => Result,
  locale: string = defaultLocale(language),
): Result {
  return speaking.run({ spoken: { language, locale } }, work);
}

/** Runs a request in the language that `withParameters` returns, at first for the parameters of its URL. */
export function speakFor(
  parameters: URLSearchParams,
  withParameters: (parameters: URLSearchParams) => Spoken,
  work: () => void,
): void {
  speaking.run({ spoken: withParameters(parameters), withParameters }, work);
}

/** Switches to the language of the parameters in a form, unless the request's pages are in one language only. */
export function noteParameters(parameters: URLSearchParams): void {
  const current = speaking.getStore();
  if (current?.withParameters !== undefined) current.spoken = current.withParameters(parameters);
}

/** Returns the language of the current request or work; English outside of both. */
export function currentLanguage(): Spoken {
  return speaking.getStore()?.spoken ?? ENGLISH;
}

/** True if the visitor of the current request may choose another language for its page. */
export function canChooseLanguage(): boolean {
  return speaking.getStore()?.withParameters !== undefined;
}

export function defaultLocale(language: string): string {
  return language === 'en' ? ENGLISH.locale : language;
}

export function textDirection(): 'ltr' | 'rtl' {
  return currentLanguage().language === 'ar' ? 'rtl' : 'ltr';
}

/**
 * Returns a string in the current language. The English string is the key. `{name}` stands for a value; numbers are
 * formatted, and `count` chooses the plural form. If a value is an element, the result is a list of parts that you can
 * use in JSX as it is.
 *
 *     t('Sign in to {site}', { site: <bdi>{name}</bdi> })
 */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string;
export function t<Part extends object>(
  text: string,
  values: Readonly<Record<string, Part | string | number>>,
): (Part | string)[];
export function t(text: string, values: Readonly<Record<string, unknown>> = {}): unknown {
  const { language, locale } = currentLanguage();
  const translation = messagesOf(language)[text] ?? text;
  const parts = formOf(translation, locale, values.count)
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const value = values[part];
      return typeof value === 'number' ? numberFormat(locale).format(value) : (value ?? `{${part}}`);
    })
    .filter((part) => part !== '');
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

/** True if a string that another package shows has a translation, or needs none. */
export function isTranslated(text: string): boolean {
  const { language } = currentLanguage();
  return language === 'en' || messagesOf(language)[text] !== undefined;
}

/** English string of ours, which pages translate. A name that a person gave is only a string, so it stays as it is. */
export type Phrase = string & { readonly isPhrase: true };

/** Marks a string that {@link t} gets from a variable, so the test of the translations finds it. */
export function phrase(text: string): Phrase {
  return text as Phrase;
}

function formOf(translation: Translation, locale: string, count: unknown): string {
  if (typeof translation === 'string') return translation;
  const category = pluralRules(locale).select(Number(count ?? 0));
  return translation[category] ?? translation.other ?? '';
}

/** Reads the translations of a language when it's first used. */
function messagesOf(language: string): Messages {
  let messages = known.get(language);
  if (messages === undefined) {
    // Without a prototype: a seller can name an option "constructor".
    messages = Object.assign(Object.create(null) as Messages, fileOf(language), added.get(language));
    known.set(language, messages);
  }
  return messages;
}

function fileOf(language: string): Messages {
  if (!Object.hasOwn(LANGUAGES, language)) return {};
  const path = join(PACKAGE_FOLDER, 'assets/messages', `${language}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Messages;
}

/** How many formats are kept. The locales come from visitors, so there must be a limit. */
const KEPT_FORMATS = 100;

/** Creates a function that caches what `create` returns for a locale. */
export function keptByKey<Format>(create: (key: string) => Format): (key: string) => Format {
  const kept = new Map<string, Format>();
  return (key) => {
    const found = kept.get(key);
    if (found !== undefined) return found;
    if (kept.size >= KEPT_FORMATS) kept.clear();
    const format = create(key);
    kept.set(key, format);
    return format;
  };
}

const pluralRules = keptByKey((locale) => new Intl.PluralRules(locale));

/** Formats whole numbers for a locale, with Latin digits like prices, codes and dates in every language. */
export const numberFormat = keptByKey((locale) => new Intl.NumberFormat(locale, { numberingSystem: 'latn' }));

export type TimePrecision = 'date' | 'minute' | 'second';

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const MINUTE = { ...DATE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const OPTIONS: Readonly<Record<TimePrecision, Intl.DateTimeFormatOptions>> = {
  date: DATE,
  minute: MINUTE,
  second: { ...MINUTE, second: '2-digit' },
};

const timeFormats = keptByKey((key) => {
  const [locale, precision] = key.split(' ') as [string, TimePrecision];
  return new Intl.DateTimeFormat(locale, { ...OPTIONS[precision], numberingSystem: 'latn' });
});

/** Formats a time in UTC, in the current language: `22 Nov 2026, 06:51 UTC`, `22 Nov 2026`. */
export function formatTime(at: number, precision: TimePrecision = 'minute'): string {
  const { language, locale } = currentLanguage();
  // English dates look the same everywhere.
  const text = timeFormats(`${language === 'en' ? 'en-GB' : locale} ${precision}`).format(at);
  return precision === 'date' ? text : `${text} UTC`;
}
