import { isError } from './without-zod.js';

/** Why a request got no response. */
export interface NetworkFailure {
  /** The system's code, such as `ECONNREFUSED`; empty if there is none. */
  readonly code: string;
  /** The cause as a clause, with the system's code: `nothing accepts connections there (ECONNREFUSED)`. */
  readonly reason: string;
  /** The cause as a sentence. */
  readonly sentence: string;
  /** What to check or change, as a sentence. */
  readonly advice: string;
  /** False if no connection was made, so nothing was sent: the same request can safely be sent again. */
  readonly wasConnected: boolean;
}

type Cause = readonly [pattern: RegExp, reason: string, advice: string, wasConnected?: true];

/**
 * Causes by the error's code or, if it has none, by its message. The first match applies. Codes come from Node.js,
 * OpenSSL and undici, which is Node.js's `fetch`.
 */
const CAUSES: readonly Cause[] = [
  [/^ECONNREFUSED/, 'nothing accepts connections there', 'Check the port, and that the program runs.'],
  [/^ENOTFOUND/, 'the host name has no address', 'Check its spelling.'],
  [/^EAI_/, 'the host name could not be looked up', 'Check DNS and the network of this machine.'],
  [
    /^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)/,
    'there is no route to the address',
    'Check the address and the network of this machine.',
  ],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)/,
    'nothing answered the connection attempt',
    'Check the address, and firewalls in between.',
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_(VERIFY|GET_ISSUER)|^CERT_(UNTRUSTED|REJECTED|SIGNATURE_FAILURE)|^INVALID_CA/,
    'its TLS certificate is not from a trusted authority',
    'For a certificate of your own, start this program with NODE_EXTRA_CA_CERTS=<file with the certificate or its authority>.',
  ],
  [
    /^CERT_HAS_EXPIRED/,
    'its TLS certificate has expired',
    'Renew the certificate, or correct the clock of this machine.',
  ],
  [
    /^CERT_NOT_YET_VALID/,
    'its TLS certificate is not valid yet',
    'Compare the clock of this machine with the start of the certificate.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    'its TLS certificate is for another host name',
    'Use a host name of the certificate, or a certificate for this one.',
  ],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|wrong version number/,
    'the port does not speak TLS',
    'Use http:// instead of https://, or the port of https.',
  ],
  [
    /^(ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO|CERT_|UNABLE_TO_)/,
    'the TLS handshake failed',
    'Compare the TLS versions and certificates of both sides.',
  ],
  [
    /^ECONNRESET .*before secure TLS/,
    'the connection was closed during the TLS handshake',
    'Check that the port is the one of https.',
  ],
  [/^HPE_|^ .*does not match the HTTP/, 'what answers there does not speak HTTP', 'Check the port.', true],
  [
    /^UND_ERR_HEADERS_OVERFLOW/,
    'the headers of the response are too large',
    'See which program or proxy adds them.',
    true,
  ],
  [
    /^UND_ERR_(HEADERS|BODY)_TIMEOUT|^ .*aborted due to timeout/,
    'no response arrived in time',
    'See what the program is busy with.',
    true,
  ],
  [
    /^(Z_|ERR_BROTLI|ZSTD_)/,
    'the body does not fit its Content-Encoding',
    'See which program or proxy compresses it.',
    true,
  ],
  [/^ bad port/, 'fetch does not call this port, which another protocol uses', 'Use another port.'],
  [
    /^ unexpected redirect/,
    'the response is a redirect, which is not followed',
    'Use the address to which it leads.',
    true,
  ],
  [
    /HTTP Tunneling/,
    'the proxy of this machine refused the connection',
    'Check HTTPS_PROXY, and add the host to NO_PROXY if it needs none.',
  ],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH)/,
    'the connection was closed before the response was complete',
    'See the log of the program there. A port of https closes connections without TLS.',
    true,
  ],
];

/** Browsers tell pages nothing about the cause. */
const UNKNOWN: Cause = [/^/, 'there was no connection, or it broke', 'Check the address.', true];

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Returns the variable with the proxy that a failed connection leads to, if Node.js uses one. */
function proxyVariable({ port, hostname }: Readonly<Record<string, unknown>>): string | undefined {
  const { env = {}, execArgv } = Object(Reflect.get(globalThis, 'process')) as {
    env?: Readonly<Record<string, string | undefined>>;
    execArgv?: unknown;
  };
  const isUsed =
    env.NODE_USE_ENV_PROXY === '1' || `${execArgv} ${env.NODE_OPTIONS}`.includes('--use-env-proxy');
  return PROXY_VARIABLES.find((name) => {
    const [, , host = ''] = ORIGIN.exec(env[name] ?? '') ?? [];
    return isUsed && (host.endsWith(`:${port}`) || host.replace(/:\d+$/, '') === hostname);
  });
}

/**
 * Returns why a request failed, from the error of `fetch` or `http.request` in Node.js. Contains no header, body or URL
 * of the request.
 */
export function networkFailureOf(error: unknown): NetworkFailure {
  const inner: Record<string, unknown> = Object(innermost(error));
  const { code: own, message } = inner;
  const code = typeof own === 'string' && /^[A-Z0-9_]+$/.test(own) ? own : '';
  const [, cause, usual, wasConnected = false] =
    CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? UNKNOWN;
  const proxy = wasConnected ? undefined : proxyVariable(inner);
  const advice = proxy === undefined ? usual : `Correct ${proxy}, or add the host to NO_PROXY.`;
  const place = proxy === undefined ? '' : `${proxy} leads to a proxy, and `;
  const reason = `${place}${cause}${code === '' ? '' : ` (${code})`}`;
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return { code, reason, sentence, advice, wasConnected };
}

/** Scheme and host of a URL, without user and password. */
const ORIGIN = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#]+)/i;

/**
 * Returns what a response is when it should have been JSON, for messages: `a redirect to https://www.example.com`,
 * `an HTML page`. For a redirect it shows only the origin: the rest can contain secrets.
 */
export function answerForm(status: number, headers: { get(name: string): string | null }): string {
  // Browsers report a redirect that wasn't followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    const [, scheme, host] = ORIGIN.exec(headers.get('location') ?? '') ?? [];
    return host ? `a redirect to ${scheme}${host}` : 'a redirect';
  }
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'text/html' ? 'an HTML page' : (type ?? 'a body without a content type');
}

const CAUSES_DEEP = 8;

/** `fetch` itself only says "fetch failed". Of several attempts to connect, the first one counts. */
function innermost(error: unknown, depth = 0): unknown {
  const { cause, errors } = Object(error) as { cause?: unknown; errors?: unknown };
  const inner = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  return isError(inner) && depth < CAUSES_DEEP ? innermost(inner, depth + 1) : error;
}
