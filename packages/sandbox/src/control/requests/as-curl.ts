import type { LoggedRequest } from './request-log.js';

/** Returns a request as a curl command. Secrets are placeholders: `$TOKEN` in the header, `[hidden]` elsewhere. */
export function asCurl(baseUrl: string, request: LoggedRequest): string {
  const { method, path, authorization, requestBody } = request;
  const address = `${baseUrl}${pathOf(path)}`;
  // Without the option, curl reads brackets and braces as patterns, also those of `[hidden]`.
  const globoff = /[[\]{}]/.test(address) ? '--globoff ' : '';
  const parts = [`curl ${globoff}-X ${method} ${quote(address)}`];
  if (authorization === 'Bearer') parts.push(`-H "Authorization: Bearer $TOKEN"`);
  if (authorization === 'Basic') parts.push(`-u "$CLIENT_ID:$CLIENT_SECRET"`);
  if (requestBody !== null) {
    parts.push(
      `-H ${quote(`Content-Type: ${requestBody.contentType}`)}`,
      `--data-raw ${quote(requestBody.text)}`,
    );
  }
  return parts.join(' \\\n  ');
}

/** Returns the path of a request target, which may name a whole address. That must not extend the host of the sandbox. */
function pathOf(target: string): string {
  return target.startsWith('/')
    ? target
    : target.replace(/^[^/?]*(?:\/\/[^/?]*)?/, '').replace(/^(?!\/)/, '/');
}

/** Quotes a text for a POSIX shell, in which nothing between single quotes has a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
