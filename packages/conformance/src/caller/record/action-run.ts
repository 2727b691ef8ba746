import type { Exchange } from '../../report/exchange.js';
import type { ActionName } from '../profile/caller-profile.js';
import type { ServiceExchange } from './service-exchange.js';

/** Result of an action of the tested app, as its user sees it. */
export interface ActionOutcome {
  /** `success` by the rule of the profile: a status below 400, or exit code 0. */
  readonly kind: 'success' | 'failure';
  /** HTTP status. Undefined for a command, and if the app did not respond. */
  readonly status: number | undefined;
  /** Exit code of a command. */
  readonly exitCode: number | undefined;
  /** Header `Location` of a redirect. */
  readonly location: string | undefined;
  /** Body of the response, or the output of the command. */
  readonly text: string;
}

/** Values that a run passes to the app. */
export interface ActionParameters {
  readonly orderId: string;
  readonly email: string;
  readonly messengerUserId: string;
  readonly externalId: string;
}

/** One execution of an action under one script. */
export interface ActionRun {
  readonly action: ActionName;
  /** Name of the case, such as `status 409`. Unique for an action, apart from repetitions on purpose. */
  readonly label: string;
  readonly parameters: ActionParameters;
  readonly outcome: ActionOutcome;
  /** Requests that the scripted service received during the run. */
  readonly exchanges: readonly ServiceExchange[];
  /** Request of the driver to the app. Undefined for a command. */
  readonly driven: readonly Exchange[];
}
