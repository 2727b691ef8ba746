import { type ActionName, API_KEY_ACTIONS, ENDPOINT_OF } from '../record/caller-profile.js';
import { type ActionRun, type Recording, runOf, type ServiceRoundTrip } from '../record/recording.js';
import { isApiKeyEndpoint } from '../service/script.js';
import { evidenceOf, failed, type Judge, notObserved, passed } from './judgement.js';

/** `run` is a command that can send any request. */
const COMPARED: readonly ActionName[] = [...API_KEY_ACTIONS, 'run'];

export interface Comparison {
  readonly label: string;
  /** @default all actions with an API key, and `run` */
  readonly actions?: readonly ActionName[];
  /** Label of the runs to compare with, in addition to the ordinary ones. */
  readonly control?: string;
  keeps(run: ActionRun, control: ActionRun, recording: Recording): boolean;
  problem(run: ActionRun, control: ActionRun, recording: Recording): string;
}

/** Judges each action's run with this label. Leaves out actions that fail even with ordinary responses. */
export function compareRuns(comparison: Comparison): Judge {
  const { label, actions = COMPARED, control = 'ordinary', keeps, problem } = comparison;
  return (recording) => {
    const right: ActionRun[] = [];
    const wrong: ActionRun[] = [];
    const problems: string[] = [];
    const reasons: string[] = [];
    for (const action of actions.filter((name) => recording.actions.includes(name))) {
      const run = runOf(recording, action, label);
      const compared = runOf(recording, action, control);
      const ordinary = runOf(recording, action, 'ordinary');
      if (ordinary?.outcome.kind !== 'success') {
        reasons.push(
          `${action} ${ordinary ? outcomeText(ordinary) : 'did not run'} with ordinary answers too`,
        );
      } else if (run === undefined || compared === undefined) {
        reasons.push(`${action} did not run under this script`);
      } else if (requestsOf(run).length === 0 || requestsOf(compared).length === 0) {
        reasons.push(`${action} sent no request to the service`);
      } else if (keeps(run, compared, recording)) right.push(run);
      else {
        wrong.push(run);
        problems.push(`${action}: ${problem(run, compared, recording)}`);
      }
    }
    if (wrong.length > 0) return failed(problems.join(' '), evidenceOf(recording, ...wrong));
    if (right.length > 0) return passed(evidenceOf(recording, ...right));
    return notObserved(reasons[0] ?? `needs one of the actions ${actions.join(', ')}`);
  };
}

/** Returns a run's requests to the endpoint of its action; for `run`, to all endpoints with an API key. */
export function requestsOf({ action, roundTrips }: ActionRun): readonly ServiceRoundTrip[] {
  const endpoint = ENDPOINT_OF[action];
  return roundTrips.filter(({ request }) =>
    endpoint === undefined ? isApiKeyEndpoint(request.endpoint) : request.endpoint === endpoint,
  );
}

/** Returns how often a run's most frequent request was sent. */
export function attemptsOf(run: ActionRun): number {
  const counts = new Map<string, number>();
  for (const { request } of requestsOf(run)) {
    const body = run.action === 'run' ? request.body : '';
    const key = `${request.method} ${request.path} ${body}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** True if the app reported the same kind of result by the same status or exit code. */
export function isSameOutcome({ outcome: a }: ActionRun, { outcome: b }: ActionRun): boolean {
  return a.kind === b.kind && a.status === b.status && a.exitCode === b.exitCode;
}

/** True if a user can tell two results apart. Ids, numbers and times don't count. */
export function isDistinguishable(a: ActionRun, b: ActionRun): boolean {
  return !isSameOutcome(a, b) || withoutIds(a) !== withoutIds(b);
}

function withoutIds({ outcome, parameters }: ActionRun): string {
  let text = `${outcome.location ?? ''} ${outcome.text}`;
  for (const value of Object.values(parameters)) text = text.replaceAll(String(value), '#');
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d+/gi, '#');
}

export const isFailure = ({ outcome }: ActionRun): boolean => outcome.kind === 'failure';

/** Returns the status, exit code or kind of an outcome, for messages. */
export function outcomeText({ outcome }: ActionRun): string {
  if (outcome.status !== undefined) return `answered ${outcome.status} (${outcome.kind})`;
  if (outcome.exitCode !== undefined) return `ended with exit code ${outcome.exitCode}`;
  return 'did not answer';
}
