import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createRedactor, HIDDEN } from '@latchkey/server/extension';

/** Maximum size of a body that is read as JSON or as a form, in bytes. A longer one is cut first. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Maximum length of a body that is neither JSON nor a form, in characters. */
const TEXT_LENGTH_MAX = 4_000;

/** A body without secrets. */
export interface LoggedBody {
  /** Media type without parameters; empty if the message has none. */
  readonly contentType: string;
  /** Number of bytes that were sent. */
  readonly bytes: number;
  /** The body with `[hidden]` in place of secrets. JSON is reformatted without white space. */
  readonly text: string;
  /** True if the text is cut. */
  readonly truncated: boolean;
}

/** A copy of a body, of at most {@link BODY_BYTES_MAX} bytes. */
export interface CopiedBody {
  readonly kept: Buffer;
  readonly bytes: number;
}

/** Removes secrets from logged requests: from JSON and forms by field name and format, from other text by format. */
export interface RoundTripRedactor {
  body(body: CopiedBody, contentType: string): LoggedBody;
  /** Returns path and query without secrets. */
  url(url: string): string;
  /** Returns text without anything that looks like a secret. */
  text(text: string): string;
}

/** Fields that are always secret here. In the server's log, a field `code` can also be an error code. */
const ALWAYS_HIDDEN: ReadonlySet<string> = new Set(['code', 'state']);
/** Stands for a body in another charset, such as UTF-16, or a binary one: secrets can't be found in it. */
const UNREADABLE = '[unreadable]';
/** The start of a form, whatever the media type says. */
const FORM = /^[\w%.[\]-]+=/;
/** The word at the end of cut text: half a secret would no longer look like one. */
const LAST_WORD = /[^\s"'&,;<>{}[\]()]*$/;

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
    // HTML, the most frequent body: `JSON.parse` takes long to fail.
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

/** Percent-encodes a string, but leaves the placeholder readable. */
function encode(text: string): string {
  // A shortened string can end with half a character, which can't be encoded.
  return encodeURIComponent(Buffer.from(text).toString('utf8')).replaceAll(
    encodeURIComponent(HIDDEN),
    HIDDEN,
  );
}

/** Headers without secrets, by name in lower case. */
export type LoggedHeaders = Readonly<Record<string, string>>;

/** Headers that contain no secrets. Any other header may contain a credential. */
const SHOWN =
  /^(?:accept(?:-.*)?|access-control-.*|allow|cache-control|connection|content-(?:encoding|language|length|security-policy|type)|cross-origin-.*|date|host|if-.*|keep-alive|origin|permissions-policy|priority|referrer-policy|retry-after|sec-(?:ch|fetch)-.*|strict-transport-security|transfer-encoding|upgrade-insecure-requests|user-agent|vary|www-authenticate|x-(?:content-type-options|frame-options))$/;
const ADDRESSES: ReadonlySet<string> = new Set(['location', 'referer']);

/** Header that marks a replay on its way to the sandbox's own server. It isn't one of the caller's. */
export const REPLAY_HEADER = 'x-latchkey-replay';

/** Returns headers with `[hidden]` in place of credentials, cookies and the values of unknown headers. */
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
