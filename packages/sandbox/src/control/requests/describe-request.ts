import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import type { LoggedRequest } from './request-log.js';

/** A rule of the specification that decided a response. */
export type DecidingRule = Pick<Requirement, 'id' | 'section' | 'text'>;

export function decidingRulesOf({ requirements }: LoggedRequest): readonly DecidingRule[] {
  return REQUIREMENTS.filter(({ id }) => requirements.includes(id)).map(({ id, section, text }) => ({
    id,
    section,
    text,
  }));
}

/** Returns a request as a curl command. Secrets are placeholders: `$TOKEN` in the header, `[hidden]` elsewhere. */
export function asCurl(baseUrl: string, request: LoggedRequest): string {
  const { method, path, authorization, requestBody } = request;
  const address = `${baseUrl}${pathOf(path)}`;
  // Without the option, curl reads brackets and braces as patterns, even in `[hidden]`.
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

/** Returns the path of a request target, which may be a whole URL. It must not extend the sandbox's host. */
function pathOf(target: string): string {
  return target.startsWith('/')
    ? target
    : target.replace(/^[^/?]*(?:\/\/[^/?]*)?/, '').replace(/^(?!\/)/, '/');
}

/** Quotes a string for a POSIX shell, where nothing between single quotes is special. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
