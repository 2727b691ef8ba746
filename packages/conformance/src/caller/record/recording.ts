import type { ServiceNames } from '@latchkey/contract/constants';
import type { ActionName } from '../profile/caller-profile.js';
import type { ActionRun } from './action-run.js';
import type { WebhookRecord } from './delivery.js';
import type { ServiceExchange } from './service-exchange.js';

/** Reports about failures that the app has written, with the run that failed. */
export interface FailureReport {
  readonly run: ActionRun;
  readonly text: string;
}

/** Everything that was observed. The checks judge it and nothing else. */
export interface Recording {
  /** Base URL of the scripted service. */
  readonly serviceUrl: string;
  readonly names: ServiceNames;
  /** Seconds within which the app had to retry. */
  readonly retryWithinSeconds: number;
  /** All requests to the scripted service, in the order of their arrival. */
  readonly exchanges: readonly ServiceExchange[];
  readonly runs: readonly ActionRun[];
  /** Undefined if the profile names no receiver. */
  readonly webhooks: WebhookRecord | undefined;
  readonly failureReport: FailureReport | undefined;
  /** Actions of the profile. Empty in passive mode. */
  readonly actions: readonly ActionName[];
  /** Actions whose text no end user sees. */
  readonly developerActions: readonly ActionName[];
  /** Placeholders that the provision action passes to the app. */
  readonly provisionPlaceholders: readonly string[];
}

/** Returns the runs of an action with a label. */
export function runsOf(
  { runs }: Pick<Recording, 'runs'>,
  action: ActionName,
  label: string,
): readonly ActionRun[] {
  return runs.filter((run) => run.action === action && run.label === label);
}

/** Returns the first run of an action with a label. */
export function runOf(
  recording: Pick<Recording, 'runs'>,
  action: ActionName,
  label: string,
): ActionRun | undefined {
  return runsOf(recording, action, label)[0];
}

/** True if a visitor was signed in by the runs with a label: the sign-in succeeded, and the page for members opened. */
export function isSignedIn(recording: Pick<Recording, 'runs'>, label: string): boolean {
  const page = runOf(recording, 'protectedPage', label);
  const isOpen = page === undefined || page.outcome.kind === 'success';
  return isOpen && runOf(recording, 'signIn', label)?.outcome.kind === 'success';
}
