import type { EndpointName, WebhookEventType } from '@latchkey/contract/constants';
import type { ReceivedResponse, RoundTrip } from '../../report/report.js';
import type { RecordedRequest } from '../../scripted-service/request.js';
import type { ActionName } from './caller-profile.js';

export type Answer = ReceivedResponse;

/** A request of the tested client with its response, in the order of arrival. */
export interface ServiceRoundTrip {
  readonly request: RecordedRequest;
  readonly answer: Answer;
  readonly script: string;
}

/** The result of an action of the tested app, as its user sees it. */
export interface ActionOutcome {
  /** `success` by the profile's rule, by default a status below 400 or exit code 0. */
  readonly kind: 'success' | 'failure';
  /** HTTP status. Undefined for a command, or if the app didn't respond. */
  readonly status: number | undefined;
  readonly exitCode: number | undefined;
  readonly location: string | undefined;
  /** Body of the response, or the output of the command. */
  readonly text: string;
}

export interface ActionParameters {
  readonly orderId: string;
  readonly email: string;
  readonly messengerUserId: string;
  readonly externalId: string;
}

/** One execution of an action with one script. */
export interface ActionRun {
  readonly action: ActionName;
  /** Name of the case, such as `status 409`. Unique for an action, except for intended repetitions. */
  readonly label: string;
  readonly parameters: ActionParameters;
  readonly outcome: ActionOutcome;
  /** Requests that the scripted service received during the run. */
  readonly roundTrips: readonly ServiceRoundTrip[];
  /** The driver's requests to the app. Empty for a command. */
  readonly driven: readonly RoundTrip[];
}

/** One webhook request to the tested app's receiver. */
export interface Delivery {
  /** Name of the case, such as `tampered`. Several deliveries of a case share it. */
  readonly label: string;
  readonly eventId: string;
  readonly type: WebhookEventType | (string & {});
  /** Undefined if the receiver didn't respond in time. */
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly shown: RoundTrip;
}

/** An event type that the specification doesn't have. */
export const UNKNOWN_EVENT_TYPE = 'wallet.topped-up';

export function isAccepted({ status }: Pick<Delivery, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** The deliveries of a run, with the app's list of handled events afterwards. */
export interface WebhookRecord {
  readonly deliveries: readonly Delivery[];
  /** Lines of the app's list of handled events. Undefined without the action `handledEvents`. */
  readonly handled: readonly string[] | undefined;
  /** True if no encoding of a valid signature was accepted. */
  readonly isDeaf: boolean;
}

/** What the app has reported about failures, with the run that failed. */
export interface FailureReport {
  readonly run: ActionRun;
  readonly text: string;
}

/** Everything that was observed. The checks judge this and nothing else. */
export interface Recording {
  readonly serviceUrl: string;
  readonly apiKey: string;
  /** Name of the field with a messenger account. */
  readonly messengerField: string;
  /** How long the app had to retry, in seconds. */
  readonly retryWithinSeconds: number;
  readonly roundTrips: readonly ServiceRoundTrip[];
  readonly runs: readonly ActionRun[];
  /** Undefined if the profile has no receiver. */
  readonly webhooks: WebhookRecord | undefined;
  readonly failureReport: FailureReport | undefined;
  /** The profile's actions. Empty in passive mode. */
  readonly actions: readonly ActionName[];
  /** Actions with text that no end user sees. */
  readonly developerActions: readonly ActionName[];
  /** Placeholders that the provision action passes to the app. */
  readonly provisionPlaceholders: readonly string[];
}

export function requestsTo(
  { roundTrips }: Pick<Recording, 'roundTrips'>,
  ...endpoints: readonly EndpointName[]
): readonly ServiceRoundTrip[] {
  return roundTrips.filter(({ request: { endpoint } }) => endpoint && endpoints.includes(endpoint));
}

export function runsOf(
  { runs }: Pick<Recording, 'runs'>,
  action: ActionName,
  label: string,
): readonly ActionRun[] {
  return runs.filter((run) => run.action === action && run.label === label);
}

export function runOf(
  recording: Pick<Recording, 'runs'>,
  action: ActionName,
  label: string,
): ActionRun | undefined {
  return runsOf(recording, action, label)[0];
}

/** True if the runs with this label signed a visitor in: the sign-in succeeded, and the page for members opened. */
export function isSignedIn(recording: Pick<Recording, 'runs'>, label: string): boolean {
  const page = runOf(recording, 'protectedPage', label);
  const isOpen = page === undefined || page.outcome.kind === 'success';
  return isOpen && runOf(recording, 'signIn', label)?.outcome.kind === 'success';
}
