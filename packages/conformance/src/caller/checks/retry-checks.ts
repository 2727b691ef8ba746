import {
  type ActionRun,
  type Recording,
  requestsTo,
  runOf,
  type ServiceRoundTrip,
} from '../record/recording.js';
import { CORRELATION_KEY, isApiKeyEndpoint, MESSAGE_MARKER } from '../service/script.js';
import { FINAL_STATUSES } from '../service/scripts.js';
import { attemptsOf, compareRuns, requestsOf } from './compare.js';
import {
  all,
  evidenceOf,
  failed,
  type Judge,
  type Judgement,
  notObserved,
  passed,
  shown,
  verdict,
} from './judgement.js';

/** A repetition within this time is immediate, in milliseconds. Clients usually pause for at least a tenth of a second. */
const IMMEDIATE_MS = 25;
/** An identical request within this time after a 4xx is a program's retry, not a second click, in milliseconds. */
const CLICK_MS = 1_000;

export const retryChecks: Readonly<Record<string, Judge>> = {
  'retry.not-client-errors': all(
    ...FINAL_STATUSES.map((status) =>
      compareRuns({
        label: `status ${status}`,
        keeps: (run) => attemptsOf(run) < 2,
        problem: (run) =>
          `the service answered ${status}. The client sent the request ${attemptsOf(run)} times.`,
      }),
    ),
    judgeCodeRetry,
    judgePassive,
  ),
  'retry.server-errors-backoff': compareRuns({
    label: '500 once',
    keeps: (run) => attemptsOf(run) > 1 && shortestPause(run) >= IMMEDIATE_MS,
    problem: (run, _control, { retryWithinSeconds }) =>
      attemptsOf(run) < 2
        ? `the service answered 500. The client did not send the request again within ${retryWithinSeconds} s.`
        : `the service answered 500. The client repeated the request after ${Math.round(shortestPause(run))} ms, without a pause.`,
  }),
  'general.unlisted-status-by-class': all(
    ...[412, 422].map((status) =>
      compareRuns({
        label: `status ${status}`,
        control: 'status 400',
        keeps: (run, control) => attemptsOf(run) === attemptsOf(control),
        problem: (run, control) =>
          `the service answered ${status}. The client sent ${attemptsOf(run)} requests, and ${attemptsOf(control)} after a 400.`,
      }),
    ),
    compareRuns({
      label: '503 once',
      control: '500 once',
      keeps: (run, control) => attemptsOf(run) > 1 === attemptsOf(control) > 1,
      problem: (run, control) =>
        `the service answered 503. The client sent ${attemptsOf(run)} requests, and ${attemptsOf(control)} after a 500.`,
    }),
  ),
  'retry.report-context': judgeReport,
};

function shortestPause(run: ActionRun): number {
  const [first, ...repeated] = requestsOf(run);
  let before = first;
  let shortest = Number.POSITIVE_INFINITY;
  for (const roundTrip of repeated) {
    if (before !== undefined && before.answer.status >= 500) {
      shortest = Math.min(shortest, roundTrip.request.receivedAt - answeredAt(before));
    }
    before = roundTrip;
  }
  return shortest;
}

function judgeCodeRetry(recording: Recording): Judgement {
  const run = runOf(recording, 'signIn', 'code rejected');
  const tokenRequests = run === undefined ? [] : requestsTo(run, 'token');
  const codes = tokenRequests.map(({ request }) => request.fields.code);
  if (codes.length === 0) return notObserved('needs an action with an API key, or signIn');
  const evidence = evidenceOf(recording, run);
  const message = 'signIn: the token endpoint answered 400. The client sent the same code again.';
  return verdict(new Set(codes).size === codes.length, message, evidence);
}

/** Judges requests that no action caused. */
function judgePassive(recording: Recording): Judgement {
  if (recording.runs.length > 0) return notObserved('needs a client that was used by hand');
  const finals: readonly number[] = FINAL_STATUSES;
  const rejected = recording.roundTrips.filter(
    ({ request, answer }) => isApiKeyEndpoint(request.endpoint) && finals.includes(answer.status),
  );
  if (rejected.length === 0) return notObserved('the service answered no request with a 4xx');
  for (const first of rejected) {
    const again = recording.roundTrips.find((later) => isRepetition(first, later));
    if (again === undefined) continue;
    const text = `The service answered ${first.answer.status}. The client sent the same request again.`;
    return failed(text, [shown(recording, first), shown(recording, again)]);
  }
  return passed(rejected.map((roundTrip) => shown(recording, roundTrip)));
}

function isRepetition(first: ServiceRoundTrip, later: ServiceRoundTrip): boolean {
  const pauseMs = later.request.receivedAt - answeredAt(first);
  const [a, b] = [first.request, later.request];
  const isEqual = a.method === b.method && a.path === b.path && a.body === b.body;
  // After selecting another script, the person uses the client again.
  return isEqual && first.script === later.script && pauseMs >= 0 && pauseMs < CLICK_MS;
}

function judgeReport(recording: Recording): Judgement {
  const { failureReport } = recording;
  if (failureReport === undefined) return notObserved('needs the action failureReport');
  const { run, text } = failureReport;
  const [roundTrip] = requestsOf(run);
  if (roundTrip === undefined) return notObserved('the failed action sent no request to the service');
  const isTraced = roundTrip.answer.body.includes(CORRELATION_KEY);
  const facts: readonly [string, boolean][] = [
    ['the correlationKey', !isTraced || text.includes(CORRELATION_KEY)],
    ['the errorCode', text.includes('internal_server_error')],
    ['the message', text.includes(MESSAGE_MARKER)],
    ['the endpoint', text.includes(roundTrip.request.path)],
    ['the status', /\b500\b/.test(text)],
    ['the UTC time', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)/.test(text)],
  ];
  const missing = facts.filter(([, isPresent]) => !isPresent).map(([name]) => name);
  const message = `The report about a 500 lacks ${missing.join(', ')}.`;
  return verdict(missing.length === 0, message, [shown(recording, roundTrip)]);
}

function answeredAt({ request }: ServiceRoundTrip): number {
  return request.answeredAt ?? Number.POSITIVE_INFINITY;
}
