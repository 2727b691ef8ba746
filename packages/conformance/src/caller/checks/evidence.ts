import type { Exchange, Headers } from '../../report/exchange.js';
import type { ActionRun } from '../record/action-run.js';
import type { Recording } from '../record/recording.js';
import type { ServiceExchange } from '../record/service-exchange.js';

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key']);
const SECRET_FIELDS =
  /((?:"?(?:access_token|refresh_token|client_secret|code_verifier|code)"?)(?:\s*[:=]\s*"?))([^"&\s,}]{6})[^"&\s,}]*/g;

/** Returns the messages of a run: those between driver and app, then those between app and service. */
export function evidenceOf(
  recording: Pick<Recording, 'serviceUrl'>,
  ...runs: readonly (ActionRun | undefined)[]
): Exchange[] {
  return runs.flatMap((run) =>
    run === undefined
      ? []
      : [...run.driven.map(masked), ...run.exchanges.map((exchange) => shown(recording, exchange))],
  );
}

/** Returns a request to the scripted service as the report shows it. */
export function shown(
  { serviceUrl }: Pick<Recording, 'serviceUrl'>,
  { request, answer }: ServiceExchange,
): Exchange {
  const { method, path, query, headers, body } = request;
  const search = query.size === 0 ? '' : `?${query}`;
  return masked({
    request: { method, url: `${serviceUrl}${path}${search}`, headers, ...(body !== '' && { body }) },
    response: answer,
  });
}

/** Hides secrets behind their first characters. */
function masked({ request, response, failure }: Exchange): Exchange {
  return {
    request: {
      method: request.method,
      url: maskedText(request.url),
      headers: maskedHeaders(request.headers),
      ...(request.body !== undefined && { body: maskedText(request.body) }),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: maskedHeaders(response.headers),
        body: maskedText(response.body),
      },
    }),
    ...(failure !== undefined && { failure }),
  };
}

function maskedHeaders(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name) ? value.replace(/^((?:\w+ )?.{4}).*$/s, '$1…') : maskedText(value),
    ]),
  );
}

function maskedText(text: string): string {
  return text.replaceAll(SECRET_FIELDS, '$1$2…');
}
