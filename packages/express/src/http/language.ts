import type { Request } from 'express';
import { ar } from './messages/ar.js';
import { de, type Messages, type Text } from './messages/de.js';
import { es } from './messages/es.js';
import { fr } from './messages/fr.js';
import { ja } from './messages/ja.js';
import { pt } from './messages/pt.js';

export type { Text };

/** Languages of the built-in pages: the same as the service's pages and the widget. The English strings are the keys. */
const MESSAGES: Readonly<Record<string, Messages | undefined>> = { en: undefined, de, fr, es, pt, ja, ar };

/** Returns a string in one language, with its values: `t('{account} has no active membership here.', { account })`. */
export interface Translate {
  (text: Text, values?: Readonly<Record<string, string>>): string;
  readonly language: string;
}

/**
 * Language of the app: a tag such as `de` or `pt-BR`, or a function of the request that returns one, or undefined for the
 * language that the browser prefers.
 */
export type LanguageOption = string | ((request: Request) => string | undefined);

/** Language tag (RFC 5646): a language, and up to four parts such as its script and region. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i;

export const LANGUAGE_ADVICE =
  'must be a language tag such as "de" or "pt-BR", or a function of the request that returns one.';

export function isLanguageTag(tag: unknown): tag is string {
  return typeof tag === 'string' && TAG.test(tag);
}

/** Returns the app's language for a request. Anything but a tag is ignored: a function can return what a visitor sent. */
export function appLanguage(option: LanguageOption | undefined, request: Request): string | undefined {
  const tag: unknown = typeof option === 'function' ? option(request) : option;
  return isLanguageTag(tag) ? tag : undefined;
}

/** Translates for a page that the app renders, in its language, and for errors to scripts, in English. */
export const translateTo = (tag: string = 'en'): Translate => {
  const language = languageOf(tag) ?? 'en';
  const messages = MESSAGES[language];
  const translate = (text: Text, values: Readonly<Record<string, string>> = {}) =>
    (messages?.[text] ?? text).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
  return Object.assign(translate, { language });
};

export const english = translateTo('en');

/** Translates a built-in page: to the app's language, else to the one that the browser prefers, else to English. */
export function translateFor(request: Request, option: LanguageOption | undefined): Translate {
  const language = languageOf(appLanguage(option, request));
  return translateTo(language ?? (request.acceptsLanguages(Object.keys(MESSAGES)) || 'en'));
}

/** Returns the language of a tag, if the pages have it: `pt` for `pt-BR`. */
function languageOf(tag = ''): string | undefined {
  const language = tag.toLowerCase().split('-', 1)[0] ?? '';
  return Object.hasOwn(MESSAGES, language) ? language : undefined;
}
