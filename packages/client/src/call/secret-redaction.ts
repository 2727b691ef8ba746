const SHOWN_LENGTH = 500;
const CAUSES_DEEP = 4;

/** Removes a secret from texts and errors of other programs, before they become part of an error or a log. */
export interface Redaction {
  /** Returns one line of at most 500 characters, without control characters and without the secret. */
  text(foreign: unknown): string | undefined;
  /** Copies the name, message, code and cause of an error, without its other properties. */
  cause(foreign: unknown): Error | undefined;
}

/**
 * Creates a redaction for a secret. It is necessary because the errors of an injected fetch can contain the request, and
 * the response of a proxy can contain its headers.
 */
export function redactionOf(secret: string): Redaction {
  const clean = (text: string) => text.replaceAll(secret, '[API key]');
  const text = (foreign: unknown) => {
    if (typeof foreign !== 'string') return undefined;
    // Line breaks could forge log entries, and format characters could reverse the text.
    const line = clean(foreign)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim();
    if (line === '') return undefined;
    return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
  };
  const copy = (foreign: unknown, depth: number): Error | undefined => {
    if (!isError(foreign) || depth > CAUSES_DEEP) return undefined;
    const { name, message, stack, cause } = foreign;
    const causeCopy = copy(cause, depth + 1);
    const error = new Error(clean(message), causeCopy && { cause: causeCopy });
    error.name = clean(name);
    if (typeof stack === 'string') error.stack = clean(stack);
    const code: unknown = Reflect.get(foreign, 'code');
    return typeof code === 'string' ? Object.assign(error, { code: clean(code) }) : error;
  };
  return { text, cause: (foreign) => copy(foreign, 1) };
}

/** True for an error of any realm, which `instanceof` does not recognize. */
function isError(value: unknown): value is Error {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'name') === 'string' &&
    typeof Reflect.get(value, 'message') === 'string'
  );
}
