const SHOWN_LENGTH = 500;
const CAUSES_DEEP = 4;

/** Takes a secret out of what others wrote, before it gets into an error or a log. */
export interface Redaction {
  /** One line of at most 500 characters, without control characters and without the secret. */
  text(foreign: unknown): string | undefined;
  /** An error of somebody else as a copy: name, message, code and cause; nothing that may hang on it besides. */
  cause(foreign: unknown): Error | undefined;
}

/**
 * Errors of a fetch that was injected can carry the whole request, and a proxy's answer can repeat its headers. Neither
 * may bring the API key into somebody's log.
 */
export function redactionOf(secret: string): Redaction {
  const clean = (text: string) => text.replaceAll(secret, '[API key]');
  const text = (foreign: unknown) => {
    if (typeof foreign !== 'string') return undefined;
    // What could write lines of its own into a log, or turn it around, becomes a space.
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

/** By its form: a test runner's errors are of another realm than its modules. */
function isError(value: unknown): value is Error {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'name') === 'string' &&
    typeof Reflect.get(value, 'message') === 'string'
  );
}
