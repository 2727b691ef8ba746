import type { RecordedRequest } from '../../scripted-service/request.js';
import type { Recording, ServiceRoundTrip } from '../record/recording.js';
import { isApiKeyEndpoint } from '../service/script.js';
import { evidenceOf, failed, type Judge, type Judgement, judgeRequests } from './judgement.js';

export const apiKeyChecks: Readonly<Record<string, Judge>> = {
  'general.single-environment': () => {
    const reason = 'The rule describes the service. No request of a client differs';
    return { outcome: { kind: 'unobservable', reason }, roundTrips: [] };
  },
  'general.api-key-not-in-browser': judgeBrowsers,
  'api-key.bearer-header': judgeHeader,
};

/** True if a browser sent the request. `sec-fetch-mode` proves nothing: Node.js's `fetch` sends it too. */
export function isFromBrowser({ headers }: RecordedRequest): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function requestsWithKey({ roundTrips }: Recording): readonly ServiceRoundTrip[] {
  return roundTrips.filter(({ request }) => isApiKeyEndpoint(request.endpoint));
}

function judgeBrowsers(recording: Recording): Judgement {
  const key = recording.apiKey;
  const leaking = recording.runs.find(
    ({ outcome, action, driven }) =>
      driven.length > 0 && action !== 'failureReport' && outcome.text.includes(key),
  );
  if (leaking !== undefined) {
    return failed(`${leaking.action}: the page contains the API key.`, evidenceOf(recording, leaking));
  }
  return judgeRequests(recording, requestsWithKey(recording), {
    isWrong: ({ request }) => isFromBrowser(request),
    message: 'A browser called an endpoint that requires an API key.',
    absent: 'the client called no endpoint with an API key',
  });
}

function judgeHeader(recording: Recording): Judgement {
  const key = recording.apiKey;
  return judgeRequests(recording, requestsWithKey(recording), {
    isWrong: ({ request: { headers, query, body } }) =>
      !/^bearer \S/i.test(headers.authorization ?? '') ||
      headers['x-api-key'] !== undefined ||
      [...query.values()].includes(key) ||
      body.includes(key),
    message:
      'The client sent the key elsewhere than in Authorization: Bearer. Addresses and bodies reach logs.',
    absent: 'the client called no endpoint with an API key',
  });
}
