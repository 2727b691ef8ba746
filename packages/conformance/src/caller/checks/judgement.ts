import { type CheckOutcome, maskedRoundTrip, type RoundTrip } from '../../report/report.js';
import {
  type ActionRun,
  isSignedIn,
  type Recording,
  runOf,
  type ServiceRoundTrip,
} from '../record/recording.js';

/** The outcome of a check, with the messages that prove it. */
export interface Judgement {
  readonly outcome: CheckOutcome;
  readonly roundTrips: readonly RoundTrip[];
}

export type Judge = (recording: Recording) => Judgement;

export function passed(roundTrips: readonly RoundTrip[]): Judgement {
  return { outcome: { kind: 'passed' }, roundTrips };
}

export function failed(message: string, roundTrips: readonly RoundTrip[]): Judgement {
  return { outcome: { kind: 'failed', message }, roundTrips };
}

/** A rule that was exercised. The message says how the client breaks it. */
export function verdict(isKept: boolean, message: string, roundTrips: readonly RoundTrip[]): Judgement {
  return isKept ? passed(roundTrips) : failed(message, roundTrips);
}

export function notObserved(reason: string): Judgement {
  return { outcome: { kind: 'not-run', reason: `not observed: ${reason}` }, roundTrips: [] };
}

export function all(...judges: readonly Judge[]): Judge {
  return (recording) => joined(...judges.map((judge) => judge(recording)));
}

/** Joins the judgements of a rule's parts. One failure fails the rule; otherwise one pass is enough. */
export function joined(...parts: readonly Judgement[]): Judgement {
  const failures = parts.filter(({ outcome }) => outcome.kind === 'failed');
  if (failures.length > 0) {
    const messages = failures.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.message : ''));
    return failed(
      messages.join(' '),
      failures.flatMap(({ roundTrips }) => roundTrips),
    );
  }
  const passes = parts.filter(({ outcome }) => outcome.kind === 'passed');
  if (passes.length > 0) return passed(passes.flatMap(({ roundTrips }) => roundTrips));
  return parts[0] ?? notObserved('nothing was judged');
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key']);
const SECRET_FIELDS =
  /((?:"?(?:access_token|refresh_token|client_secret|code_verifier|code)"?)(?:\s*[:=]\s*"?))([^"&\s,}]{6})[^"&\s,}]*/g;

/** Returns the messages of a run: first between driver and app, then between app and service. */
export function evidenceOf(
  recording: Pick<Recording, 'serviceUrl'>,
  ...runs: readonly (ActionRun | undefined)[]
): RoundTrip[] {
  return runs.flatMap((run) =>
    run === undefined
      ? []
      : [
          ...run.driven.map((driven) => maskedRoundTrip(driven, maskedText)),
          ...run.roundTrips.map((roundTrip) => shown(recording, roundTrip)),
        ],
  );
}

export function shown(
  { serviceUrl }: Pick<Recording, 'serviceUrl'>,
  { request, answer }: ServiceRoundTrip,
): RoundTrip {
  const { method, path, query, headers, body } = request;
  const search = query.size === 0 ? '' : `?${query}`;
  const sent = { method, url: `${serviceUrl}${path}${search}`, headers, ...(body !== '' && { body }) };
  return maskedRoundTrip({ request: sent, response: answer }, maskedText);
}

/** Hides secrets behind their first characters. */
function maskedText(text: string, header = ''): string {
  return SECRET_HEADERS.has(header)
    ? text.replace(/^((?:\w+ )?.{4}).*$/s, '$1…')
    : text.replaceAll(SECRET_FIELDS, '$1$2…');
}

export function signInGap(recording: Recording): string | undefined {
  if (!recording.actions.includes('signIn')) return 'needs the action signIn';
  return isSignedIn(recording, 'ordinary') ? undefined : 'the sign-in fails with ordinary answers too';
}

/** Judges a client that is used by hand: with this script, it must have used an access token that it redeemed. */
export function judgeUse(script: string): Judge {
  return (recording) => {
    if (recording.runs.length > 0) return notObserved('needs a client that was used by hand');
    const under = recording.roundTrips.filter((roundTrip) => roundTrip.script === script);
    const use = under.filter(
      ({ request, answer }) => request.headers.authorization !== undefined && answer.status === 200,
    );
    const isRedeemed = under.some(
      ({ request, answer }) => request.endpoint === 'token' && answer.status === 201,
    );
    return isRedeemed && use.length > 0
      ? passed(use.map((roundTrip) => shown(recording, roundTrip)))
      : notObserved(`no user signed in under the script "${script}"`);
  };
}

export function judgeVisit(label: string, message: string): Judge {
  return (recording) => {
    const gap = signInGap(recording);
    if (gap !== undefined) return notObserved(gap);
    const run = runOf(recording, 'signIn', label);
    if (run === undefined) return notObserved('no sign-in ran under this script');
    const evidence = evidenceOf(recording, run, runOf(recording, 'protectedPage', label));
    return verdict(isSignedIn(recording, label), message, evidence);
  };
}

/** Judges requests: none may be wrong. The first one proves that the rule was exercised. */
export function judgeRequests(
  recording: Recording,
  requests: readonly ServiceRoundTrip[],
  rule: { isWrong(roundTrip: ServiceRoundTrip): boolean; message: string; absent: string },
): Judgement {
  const wrong = requests.find((roundTrip) => rule.isWrong(roundTrip));
  const proof = wrong ?? requests[0];
  if (proof === undefined) return notObserved(rule.absent);
  return verdict(wrong === undefined, rule.message, [shown(recording, proof)]);
}
