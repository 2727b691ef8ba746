import type { HeaderLine } from '../../domain/webhooks/attempt/stored-round-trip.js';
import { nodeHttp } from '../../platform/http/node-http.js';

/** Returns the request line and the headers of a request, as they are sent. */
export function requestHead({ url, headers }: { url: string; headers: readonly HeaderLine[] }): string {
  if (!URL.canParse(url)) return headText(`POST ${url}`, headers);
  const { host, pathname, search } = new URL(url);
  return headText(`POST ${pathname}${search} HTTP/1.1`, [['Host', host], ...headers]);
}

export function responseHead(statusCode: number, headers: readonly HeaderLine[]): string {
  return headText(`HTTP/1.1 ${statusCode} ${nodeHttp.STATUS_CODES[statusCode] ?? ''}`.trimEnd(), headers);
}

function headText(firstLine: string, headers: readonly HeaderLine[]): string {
  return [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** Tokens of a JSON text: strings, punctuation, and numbers and words. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Deepest level that is indented further. Without a limit, the indents of a deeply nested text grow with the square of its
 * length: 2 kB of brackets would become a page of 40 MB.
 */
const INDENTED_LEVELS = 20;

/**
 * Returns a JSON text with line breaks and indents; `undefined` if it is no JSON. The tokens stay as they are: numbers that
 * JavaScript cannot represent are not rounded.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  let depth = 0;
  let previous = '';
  let pretty = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const opens = previous === '{' || previous === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if ((opens && !closes) || previous === ',' || (closes && !opens)) {
      pretty += `\n${'  '.repeat(Math.min(depth, INDENTED_LEVELS))}`;
    }
    if (previous === ':') pretty += ' ';
    pretty += token;
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return pretty;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
