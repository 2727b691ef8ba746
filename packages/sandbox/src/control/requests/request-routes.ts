import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import type { Needs } from '../../services/services.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { Replays } from './replay-requests.js';
import { type LoggedRequest, type RequestLog, requestFilter } from './request-log.js';

/** Request log, as tests and the control API use it. */
export type Requests = Pick<RequestLog, 'list' | 'find' | 'clear'> & Pick<Replays, 'replay'>;

/** Rule of the specification that decided an answer. */
export type DecidingRule = Pick<Requirement, 'id' | 'section' | 'text'>;

/** Returns the rules that decided the answer, with their texts. */
function rulesOf({ requirements }: LoggedRequest): readonly DecidingRule[] {
  return REQUIREMENTS.filter(({ id }) => requirements.includes(id)).map(({ id, section, text }) => ({
    id,
    section,
    text,
  }));
}

export function requestRoutes(services: Needs<'baseUrl'>, log: Requests): readonly ControlRoute[] {
  return [
    controlRoute('GET /requests', {
      summary: 'Lists the newest requests without their bodies, newest first.',
      query: requestFilter,
      handle: ({ query }) => log.list(query),
    }),
    controlRoute('GET /requests/{id}', {
      summary: 'Returns a request with its bodies and as a curl command. Secrets are placeholders.',
      handle({ params: { id = '' } }) {
        const request = log.find(id);
        return { ...request, curl: asCurl(services.baseUrl, request), rules: rulesOf(request) };
      },
    }),
    controlRoute('POST /requests/{id}/replay', {
      summary: 'Sends a request again as it arrived, with its credentials, and returns its new entry.',
      handle: ({ params: { id = '' } }) => log.replay(id),
    }),
    controlRoute('DELETE /requests', {
      summary: 'Empties the log.',
      handle: () => log.clear(),
    }),
  ];
}

/** Returns a request as a curl command. Secrets are placeholders: `$TOKEN` in the header, `[hidden]` elsewhere. */
function asCurl(baseUrl: string, request: LoggedRequest): string {
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
