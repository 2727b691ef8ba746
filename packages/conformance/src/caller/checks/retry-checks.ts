import type { ActionRun } from '../record/action-run.js';
import { type Recording, runOf } from '../record/recording.js';
import type { ServiceExchange } from '../record/service-exchange.js';
import { FINAL_STATUSES } from '../scripts/api-key-scripts.js';
import { CORRELATION_KEY, MESSAGE_MARKER } from '../service/answers.js';
import { isApiKeyEndpoint } from '../service/script.js';
import { attemptsOf, compareRuns, requestsOf } from './compare.js';
import { evidenceOf, shown } from './evidence.js';
import { type CallerCheck, failed, type Judgement, joined, notObserved, passed } from './judgement.js';

/** Milliseconds below which a repetition is immediate. A pause of a client is at least a tenth of a second as a rule. */
const IMMEDIATE_MS = 25;
/** Milliseconds within which an equal request after a 4xx is a retry of a program, not a second click. */
const CLICK_MS = 1_000;

/** Rules about sending a request again. */
export const retryChecks: readonly CallerCheck[] = [
  {
    id: 'retry.not-client-errors',
    judge: (recording) =>
      joined(
        ...FINAL_STATUSES.map((status) =>
          compareRuns(recording, {
            label: `status ${status}`,
            problem: (run) =>
              attemptsOf(run) > 1
                ? `the service answered ${status}. The client sent the request ${attemptsOf(run)} times.`
                : undefined,
          }),
        ),
        judgeCodeRetry(recording),
        judgePassive(recording),
      ),
  },
  {
    id: 'retry.server-errors-backoff',
    judge: (recording) =>
      compareRuns(recording, {
        label: '500 once',
        problem: (run) => {
          if (attemptsOf(run) < 2) {
            return `the service answered 500. The client did not send the request again within ${recording.retryWithinSeconds} s.`;
          }
          const pauseMs = shortestPause(run);
          return pauseMs < IMMEDIATE_MS
            ? `the service answered 500. The client repeated the request after ${Math.round(pauseMs)} ms, without a pause.`
            : undefined;
        },
      }),
  },
  {
    id: 'general.unlisted-status-by-class',
    judge: (recording) =>
      joined(
        ...[412, 422].map((status) =>
          compareRuns(recording, {
            label: `status ${status}`,
            control: 'status 400',
            problem: (run, control) =>
              attemptsOf(run) === attemptsOf(control)
                ? undefined
                : `the service answered ${status}. The client sent ${attemptsOf(run)} requests, and ${attemptsOf(control)} after a 400.`,
          }),
        ),
        compareRuns(recording, {
          label: '503 once',
          control: '500 once',
          problem: (run, control) =>
            attemptsOf(run) > 1 === attemptsOf(control) > 1
              ? undefined
              : `the service answered 503. The client sent ${attemptsOf(run)} requests, and ${attemptsOf(control)} after a 500.`,
        }),
      ),
  },
  { id: 'retry.report-context', judge: judgeReport },
];

function shortestPause(run: ActionRun): number {
  const [first, ...repeated] = requestsOf(run);
  let before = first;
  let shortest = Number.POSITIVE_INFINITY;
  for (const exchange of repeated) {
    if (before !== undefined && before.answer.status >= 500) {
      shortest = Math.min(shortest, exchange.request.receivedAt - answeredAt(before));
    }
    before = exchange;
  }
  return shortest;
}

/** A code that was rejected must not be sent again. */
function judgeCodeRetry(recording: Recording): Judgement {
  const run = runOf(recording, 'signIn', 'code rejected');
  const codes = (run?.exchanges ?? [])
    .filter(({ request }) => request.endpoint === 'token')
    .map(({ request }) => request.fields.code);
  if (codes.length === 0) return notObserved('needs an action with an API key, or signIn');
  const evidence = evidenceOf(recording, run);
  return new Set(codes).size < codes.length
    ? failed('signIn: the token endpoint answered 400. The client sent the same code again.', evidence)
    : passed(evidence);
}

/** Judges requests that no action caused. */
function judgePassive(recording: Recording): Judgement {
  if (recording.runs.length > 0) return notObserved('needs a client that was used by hand');
  const finals: readonly number[] = FINAL_STATUSES;
  const rejected = recording.exchanges.filter(
    ({ request, answer }) => isApiKeyEndpoint(request.endpoint) && finals.includes(answer.status),
  );
  if (rejected.length === 0) return notObserved('the service answered no request with a 4xx');
  for (const first of rejected) {
    const again = recording.exchanges.find((later) => isRepetition(first, later));
    if (again === undefined) continue;
    const text = `The service answered ${first.answer.status}. The client sent the same request again.`;
    return failed(text, [shown(recording, first), shown(recording, again)]);
  }
  return passed(rejected.map((exchange) => shown(recording, exchange)));
}

function isRepetition(first: ServiceExchange, later: ServiceExchange): boolean {
  const pauseMs = later.request.receivedAt - answeredAt(first);
  const [a, b] = [first.request, later.request];
  const isEqual = a.method === b.method && a.path === b.path && a.body === b.body;
  // After the selection of another script, the person uses the client again.
  return isEqual && first.script === later.script && pauseMs >= 0 && pauseMs < CLICK_MS;
}

function judgeReport(recording: Recording): Judgement {
  const { failureReport } = recording;
  if (failureReport === undefined) return notObserved('needs the action failureReport');
  const { run, text } = failureReport;
  const [exchange] = requestsOf(run);
  if (exchange === undefined) return notObserved('the failed action sent no request to the service');
  const isTraced = exchange.answer.body.includes(CORRELATION_KEY);
  const facts: readonly [string, boolean][] = [
    ['the correlationKey', !isTraced || text.includes(CORRELATION_KEY)],
    ['the errorCode', text.includes('internal_server_error')],
    ['the message', text.includes(MESSAGE_MARKER)],
    ['the endpoint', text.includes(exchange.request.path)],
    ['the status', /\b500\b/.test(text)],
    ['the UTC time', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)/.test(text)],
  ];
  const missing = facts.filter(([, isPresent]) => !isPresent).map(([name]) => name);
  const evidence = [shown(recording, exchange)];
  return missing.length === 0
    ? passed(evidence)
    : failed(`The report about a 500 lacks ${missing.join(', ')}.`, evidence);
}

function answeredAt({ request }: ServiceExchange): number {
  return request.answeredAt ?? Number.POSITIVE_INFINITY;
}
