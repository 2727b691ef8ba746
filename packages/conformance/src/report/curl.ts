import type { SentRequest } from './report.js';

/** Headers that curl sets itself. */
const SET_BY_CURL = new Set([
  'content-length',
  'host',
  'connection',
  'accept-encoding',
  'user-agent',
  'accept',
]);

/** Returns a command line for a POSIX shell that sends the request again. */
export function curlLine({ method, url, headers, body }: SentRequest): string {
  const parts = ['curl', '-i'];
  if (method !== 'GET') parts.push('-X', method);
  for (const [name, value] of Object.entries(headers)) {
    if (!SET_BY_CURL.has(name)) parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (body !== undefined) parts.push('--data-raw', quoted(body));
  return [...parts, quoted(url)].join(' ');
}

/** Quotes for a POSIX shell: everything between single quotes is literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
