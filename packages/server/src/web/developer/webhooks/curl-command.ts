import type { HeaderLine } from '../../../domain/webhooks/attempt/attempt-exchange.js';

/** Request to repeat with curl. */
export interface RepeatedRequest {
  url: string;
  headers: readonly HeaderLine[];
  /** Exact body. The signature covers it. */
  body: string;
}

/** Headers that curl computes itself. */
const COMPUTED: ReadonlySet<string> = new Set(['content-length']);

/**
 * Returns a command for a POSIX shell that sends a request again, byte for byte, with its signature. Buyers wrote parts of
 * the body, so each argument is quoted.
 */
export function curlCommand({ url, headers, body }: RepeatedRequest): string {
  const lines = headers
    .filter(([name]) => !COMPUTED.has(name.toLowerCase()))
    .map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`);
  // --data-raw does not read a file if the body begins with "@".
  return [`curl --globoff --request POST ${quoted(url)}`, ...lines, `  --data-raw ${quoted(body)}`].join(
    ' \\\n',
  );
}

/** In single quotes a shell interprets nothing but the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
