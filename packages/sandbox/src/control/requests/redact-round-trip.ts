import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createRedactor, HIDDEN } from '@latchkey/server/extension';

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

/** Copy of a body, of which at most {@link BODY_BYTES_MAX} bytes are kept. */
export interface CopiedBody {
  readonly kept: Buffer;
  readonly bytes: number;
}

/** Removes secrets from logged requests. JSON and forms are searched by field name and by format, other text by format. */
export interface RoundTripRedactor {
  body(body: CopiedBody, contentType: string): LoggedBody;
  /** Returns path and query without secrets. */
  url(url: string): string;
  /** Returns a text without what has the format of a secret. */
  text(text: string): string;
}

/** Fields whose values are always secrets here. In the server's log, a field `code` can also be an error code. */
const ALWAYS_HIDDEN: ReadonlySet<string> = new Set(['code', 'state']);
/** Body in another charset, such as UTF-16, or no text: no format of a secret matches it. */
const UNREADABLE = '[unreadable]';
/** Start of a form, whatever the media type says. */
const FORM = /^[\w%.[\]-]+=/;
/** Word at the end of a cut text: half of a secret would no longer have its format. */
const LAST_WORD = /[^\s"'&,;<>{}[\]()]*$/;

/** Creates a redactor for requests of a service with this prefix of API keys. */
export function createRoundTripRedactor(apiKeyPrefix: string): RoundTripRedactor {
  const redactor = createRedactor(apiKeyPrefix);

  const shownValue = (value: unknown, name = ''): unknown => {
    if (name !== '' && isSecret(name)) return HIDDEN;
    if (typeof value === 'string') return redactor.text(value);
    if (Array.isArray(value)) return value.map((item) => shownValue(item));
    if (typeof value !== 'object' || value === null) return redactor.value(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [redactor.text(key), shownValue(item, key)]),
    );
  };
  const isSecret = (name: string) => ALWAYS_HIDDEN.has(name.toLowerCase()) || redactor.isSecretName(name);

  const formOf = (text: string) =>
    [...new URLSearchParams(text)]
      .map(([name, value]) => `${encode(redactor.text(name))}=${encode(String(shownValue(value, name)))}`)
      .join('&');

  const wholeOf = (text: string): string | undefined => {
    // HTML, the most frequent body. JSON.parse takes long to fail.
    if (text.startsWith('<')) return undefined;
    try {
      return JSON.stringify(shownValue(JSON.parse(text)));
    } catch {
      return FORM.test(text) && text.length <= TEXT_LENGTH_MAX ? formOf(text) : undefined;
    }
  };
  const cutOf = (text: string) => {
    const cut = text.length <= TEXT_LENGTH_MAX ? text : text.slice(0, TEXT_LENGTH_MAX).replace(LAST_WORD, '');
    return FORM.test(cut) ? formOf(cut) : redactor.text(cut);
  };
  return {
    text: (text) => redactor.text(text),
    body({ kept, bytes }, contentType) {
      const text = kept.includes(0) ? UNREADABLE : kept.toString('utf8');
      const isWhole = bytes === kept.byteLength;
      const whole = isWhole ? wholeOf(text) : undefined;
      return {
        contentType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
        bytes,
        text: whole ?? cutOf(text),
        truncated: whole === undefined && (!isWhole || text.length > TEXT_LENGTH_MAX),
      };
    },
    url(url) {
      const [path = '', ...rest] = url.split('?');
      const shownPath = path
        .split('/')
        .map((segment) => {
          const shown = redactor.text(decode(segment));
          return shown === decode(segment) ? segment : shown;
        })
        .join('/');
      return rest.length === 0 ? shownPath : `${shownPath}?${formOf(rest.join('?'))}`;
    },
  };
}

/** Decodes a segment of a path. A malformed one is searched as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Percent-encodes a text, but leaves the placeholder readable. */
function encode(text: string): string {
  // A shortened text can end with half of a character, which has no encoding.
  return encodeURIComponent(Buffer.from(text).toString('utf8')).replaceAll(
    encodeURIComponent(HIDDEN),
    HIDDEN,
  );
}

/** Headers without secrets, by name in lower case. */
export type LoggedHeaders = Readonly<Record<string, string>>;

/** Headers whose values contain no secret. Any other header may carry a credential. */
const SHOWN =
  /^(?:accept(?:-.*)?|access-control-.*|allow|cache-control|connection|content-(?:encoding|language|length|security-policy|type)|cross-origin-.*|date|host|if-.*|keep-alive|origin|permissions-policy|priority|referrer-policy|retry-after|sec-(?:ch|fetch)-.*|strict-transport-security|transfer-encoding|upgrade-insecure-requests|user-agent|vary|www-authenticate|x-(?:content-type-options|frame-options))$/;
/** Headers that contain an address. */
const ADDRESSES: ReadonlySet<string> = new Set(['location', 'referer']);

/** Header that marks a replay on its way to the own server. It is no header of the caller. */
export const REPLAY_HEADER = 'x-latchkey-replay';

/** Returns headers in which values of unknown headers, credentials and cookies are replaced by `[hidden]`. */
export function redactHeaders(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  redactor: RoundTripRedactor,
): LoggedHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([given, value]) => {
      const name = given.toLowerCase();
      return value === undefined || name === REPLAY_HEADER
        ? []
        : [[name, shownHeader(name, String(value), redactor)]];
    }),
  );
}

function shownHeader(name: string, value: string, redactor: RoundTripRedactor): string {
  if (ADDRESSES.has(name)) return redactor.url(value);
  if (name === 'authorization') return `${/^(?:Basic|Bearer)(?= )/i.exec(value)?.[0] ?? ''} ${HIDDEN}`.trim();
  return SHOWN.test(name) ? redactor.text(value) : HIDDEN;
}
