import type { RecordedRequest } from '../../scripted-service/request.js';
import type { Recording } from '../record/recording.js';
import type { ServiceExchange } from '../record/service-exchange.js';
import { scriptedApiKey } from '../service/credentials.js';
import { isApiKeyEndpoint } from '../service/script.js';
import { evidenceOf, shown } from './evidence.js';
import { type CallerCheck, failed, type Judgement, notObserved, passed } from './judgement.js';

/** Rules about the API key itself. */
export const apiKeyChecks: readonly CallerCheck[] = [
  {
    id: 'general.single-environment',
    judge: () => ({
      outcome: {
        kind: 'unobservable',
        reason: 'The rule describes the service. No request of a client differs',
      },
      exchanges: [],
    }),
  },
  { id: 'general.api-key-not-in-browser', judge: judgeBrowsers },
  { id: 'api-key.bearer-header', judge: judgeHeader },
];

/** True if a browser sent the request. Node's fetch also sends `sec-fetch-mode`, which proves nothing. */
export function isFromBrowser({ headers }: RecordedRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function requestsWithKey({ exchanges }: Recording): readonly ServiceExchange[] {
  return exchanges.filter(({ request }) => isApiKeyEndpoint(request.endpoint));
}

function judgeBrowsers(recording: Recording): Judgement {
  const key = scriptedApiKey(recording.names);
  const leaking = recording.runs.find(
    ({ outcome, action, driven }) =>
      driven.length > 0 && action !== 'failureReport' && outcome.text.includes(key),
  );
  if (leaking !== undefined) {
    return failed(`${leaking.action}: the page contains the API key.`, evidenceOf(recording, leaking));
  }
  const requests = requestsWithKey(recording);
  const wrong = requests.find(({ request }) => isFromBrowser(request));
  if (wrong !== undefined) {
    return failed('A browser called an endpoint that requires an API key.', [shown(recording, wrong)]);
  }
  const [first] = requests;
  return first === undefined
    ? notObserved('the client called no endpoint with an API key')
    : passed([shown(recording, first)]);
}

function judgeHeader(recording: Recording): Judgement {
  const key = scriptedApiKey(recording.names);
  const requests = requestsWithKey(recording);
  const wrong = requests.find(
    ({ request: { headers, query, body } }) =>
      !/^bearer \S/i.test(headers.authorization ?? '') ||
      headers['x-api-key'] !== undefined ||
      [...query.values()].includes(key) ||
      body.includes(key),
  );
  if (wrong !== undefined) {
    const text =
      'The client sent the key elsewhere than in Authorization: Bearer. Addresses and bodies reach logs.';
    return failed(text, [shown(recording, wrong)]);
  }
  const [first] = requests;
  return first === undefined
    ? notObserved('the client called no endpoint with an API key')
    : passed([shown(recording, first)]);
}
