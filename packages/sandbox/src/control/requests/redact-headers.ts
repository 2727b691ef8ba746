import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { HIDDEN } from '@latchkey/server/extension';
import type { ExchangeRedactor } from './redact-exchange.js';

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
  redactor: ExchangeRedactor,
): LoggedHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([given, value]) => {
      const name = given.toLowerCase();
      return value === undefined || name === REPLAY_HEADER
        ? []
        : [[name, shownValue(name, String(value), redactor)]];
    }),
  );
}

function shownValue(name: string, value: string, redactor: ExchangeRedactor): string {
  if (ADDRESSES.has(name)) return redactor.url(value);
  if (name === 'authorization') return `${/^(?:Basic|Bearer)(?= )/i.exec(value)?.[0] ?? ''} ${HIDDEN}`.trim();
  return SHOWN.test(name) ? redactor.text(value) : HIDDEN;
}
