import type { RecordedRequest } from '../../scripted-service/request.js';
import { API_KEY_ACTIONS } from '../record/caller-profile.js';
import { type Recording, runOf, type ServiceRoundTrip } from '../record/recording.js';
import { isApiKeyEndpoint, MESSAGE_MARKER } from '../service/script.js';
import {
  attemptsOf,
  compareRuns,
  isDistinguishable,
  isFailure,
  isSameOutcome,
  outcomeText,
} from './compare.js';
import {
  all,
  evidenceOf,
  failed,
  type Judge,
  type Judgement,
  judgeRequests,
  judgeUse,
  judgeVisit,
  notObserved,
  passed,
} from './judgement.js';

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

export const envelopeChecks: Readonly<Record<string, Judge>> = {
  'versioning.ignore-unknown-fields': all(
    compareRuns({
      label: 'unknown fields',
      keeps: isSameOutcome,
      problem: (run, control) =>
        `the answer had unknown fields. The app ${outcomeText(run)}; without them it ${outcomeText(control)}.`,
    }),
    judgeVisit('unknown fields', 'Answers with unknown fields break the sign-in.'),
    judgeUse('unknown fields'),
  ),
  'envelope.every-key-optional': all(
    compareRuns({
      label: 'data only',
      keeps: isSameOutcome,
      problem: (run) =>
        `the envelope of the success contained only data. The app ${outcomeText(run)} instead of success.`,
    }),
    compareRuns({
      label: 'empty failure',
      control: 'status 404',
      // general.branch-on-status is about clients that ignore the status.
      keeps: (run, control, recording) =>
        run.outcome.kind === 'success' ||
        runOf(recording, run.action, 'success body in 403')?.outcome.kind === 'success' ||
        isSameOutcome(run, control),
      problem: (run, control) =>
        `a 404 had an empty object as its body. The app ${outcomeText(run)}; with a complete body it ${outcomeText(control)}.`,
    }),
  ),
  'envelope.error-code-set-grows': compareRuns({
    label: 'unknown code',
    control: 'status 409',
    keeps: isSameOutcome,
    problem: (run, control) =>
      `a 409 had the errorCode membership_frozen. The app ${outcomeText(run)}; with the code conflict it ${outcomeText(control)}.`,
  }),
  'versioning.status-controls-flow': all(
    compareRuns({
      label: 'misleading code 409',
      control: 'status 409',
      keeps: (run, control) => isSameOutcome(run, control) && attemptsOf(run) === attemptsOf(control),
      problem: (run, control) =>
        `a 409 had the errorCode internal_server_error. The app sent ${attemptsOf(run)} requests and ${outcomeText(run)}; with the code conflict it sent ${attemptsOf(control)} and ${outcomeText(control)}.`,
    }),
    compareRuns({
      label: 'misleading code 500',
      control: '500 once',
      keeps: (run, control) => attemptsOf(run) > 1 === attemptsOf(control) > 1,
      problem: (run, control) =>
        `a 500 had the errorCode conflict. The app sent ${attemptsOf(run)} requests; with internal_server_error it sent ${attemptsOf(control)}.`,
    }),
  ),
  'general.branch-on-status': all(
    ...['success body in 403', 'empty failure', 'status 403'].map((label) =>
      compareRuns({
        label,
        actions: API_KEY_ACTIONS,
        keeps: (run, control) => isFailure(run) || isDistinguishable(run, control),
        problem: (run) =>
          `the service failed (${label}). The app ${outcomeText(run)} as for a success. If its failures have a status below 400, set "success" in the profile.`,
      }),
    ),
  ),
  'envelope.message-for-developers': judgeMessages,
  'envelope.failure-inside-success': all(
    compareRuns({
      label: 'success false',
      actions: ['checkout'],
      keeps: isFailure,
      problem: (run) => `buy-plan answered 201 with success false. The app ${outcomeText(run)}.`,
    }),
    compareRuns({
      label: 'no bot',
      actions: ['inviteLink'],
      keeps: isFailure,
      problem: (run) =>
        `the invite link was answered by 200 with success false and data null. The app ${outcomeText(run)}.`,
    }),
    compareRuns({
      label: 'existing account',
      actions: ['dropSignup'],
      keeps: isDistinguishable,
      problem: (run) =>
        `the drop signup was answered by 201 with signedUp false. The app ${outcomeText(run)} with the same text as for a signup.`,
    }),
  ),
};

function judgeMessages(recording: Recording): Judgement {
  const pages = recording.runs.filter(
    ({ action, driven, outcome }) =>
      driven.length > 0 && outcome.kind === 'failure' && !recording.developerActions.includes(action),
  );
  const wrong = pages.find(({ outcome }) => outcome.text.includes(MESSAGE_MARKER));
  if (wrong !== undefined) {
    const text = `${wrong.action}: the page shows the text of message ("${MESSAGE_MARKER}…"). If only developers see it, set "audience": "developers" in the profile.`;
    return failed(text, evidenceOf(recording, wrong));
  }
  const proof = pages.find(({ roundTrips }) =>
    roundTrips.some(({ answer }) => answer.body.includes(MESSAGE_MARKER)),
  );
  return proof === undefined
    ? notObserved('no page for users was requested while the service answered with a message')
    : passed(evidenceOf(recording, proof));
}
