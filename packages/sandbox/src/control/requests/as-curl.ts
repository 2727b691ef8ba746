import type { LoggedRequest } from './request-log.js';

/** Returns a request as a curl command. Secrets are placeholders: `$TOKEN` in the header, `[hidden]` elsewhere. */
export function asCurl(baseUrl: string, request: LoggedRequest): string {
  const { method, path, authorization, requestBody } = request;
  const parts = [`curl -X ${method} ${quote(`${baseUrl}${path}`)}`];
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

/** Quotes a text for a POSIX shell, in which nothing between single quotes has a meaning. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
