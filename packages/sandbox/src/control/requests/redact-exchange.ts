import { HIDDEN, redact, redactText } from '@latchkey/server/extension';

/** Maximum number of bytes of a body that is read as JSON or as a form. A longer one is cut first. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Maximum length of a body that is neither JSON nor a form, in characters. */
const TEXT_LENGTH_MAX = 4_000;

/** Body without secrets. */
export interface LoggedBody {
  /** Media type without parameters; empty if the message names none. */
  readonly contentType: string;
  /** Number of bytes that were sent. */
  readonly bytes: number;
  /** Text with `[hidden]` in place of secrets. JSON is written again without white space. */
  readonly text: string;
  /** True if the text is cut. */
  readonly truncated: boolean;
}

/** Returns a body without secrets. JSON and forms are searched by field name and by format, other text by format. */
export function redactBody(body: Buffer, bytes: number, contentType: string): LoggedBody {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const text = body.toString('utf8');
  const isWhole = bytes === body.byteLength;
  const shown = isWhole ? redactWhole(text) : undefined;
  return {
    contentType: type,
    bytes,
    text: shown ?? redactCut(text),
    truncated: shown === undefined && (!isWhole || text.length > TEXT_LENGTH_MAX),
  };
}

/** Returns path and query without secrets. */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const query = rest.join('?');
  const shownPath = path.split('/').map(redactSegment).join('/');
  return query === '' ? shownPath : `${shownPath}?${redactForm(query)}`;
}

function redactSegment(segment: string): string {
  let decoded = segment;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    // A malformed segment is searched as it is.
  }
  const shown = redactText(decoded);
  return shown === decoded ? segment : shown;
}

/** Fields of a form, whatever its media type says. */
const FORM = /^[\w%.[\]-]+=/;

function redactWhole(text: string): string | undefined {
  try {
    return JSON.stringify(withoutSecrets(JSON.parse(text)));
  } catch {
    return FORM.test(text) && text.length <= TEXT_LENGTH_MAX ? redactForm(text) : undefined;
  }
}

/** Fields whose values are always secrets here. The server's log knows error codes by the name `code`. */
const ALWAYS_HIDDEN = new Set(['code', 'state']);

function withoutSecrets(value: unknown, name = ''): unknown {
  if (ALWAYS_HIDDEN.has(name.toLowerCase())) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return redact(value, name);
  // A field with a secret name is hidden with all that it contains.
  if (redact('', name) === HIDDEN) return HIDDEN;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactText(key), withoutSecrets(item, key)]),
  );
}

function redactForm(text: string): string {
  return [...new URLSearchParams(text)]
    .map(([name, value]) => [redactText(name), String(withoutSecrets(value, name))])
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** Percent-encodes a text, but leaves the placeholder readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(encodeURIComponent(HIDDEN), HIDDEN);
}

/** Cuts before it redacts, and drops the last word: half of a secret would no longer have its format. */
function redactCut(text: string): string {
  const cut =
    text.length <= TEXT_LENGTH_MAX
      ? text
      : text.slice(0, TEXT_LENGTH_MAX).replace(/[^\s"'&,;<>{}[\]()]*$/, '');
  return FORM.test(cut) ? redactForm(cut) : redactText(cut);
}
