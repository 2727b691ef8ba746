import { printableLine } from './printable.js';

/** Longer values are cut off in messages. */
const MAX_LENGTH = 80;
const URL_PASSWORD = /(:\/\/[^/@\s]*:)\S*@/g;

/** A value in quotes, as messages show it: without passwords, and cut off if it is long. */
export function quoted(text: string): string {
  const masked = withoutPasswords(text);
  return printableLine(
    JSON.stringify(masked.length > MAX_LENGTH ? `${masked.slice(0, MAX_LENGTH)}…` : masked),
  );
}

/** Masks passwords in URLs: a value may have been meant for another flag. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(URL_PASSWORD, '$1•••@');
}
