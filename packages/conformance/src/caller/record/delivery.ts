import type { WebhookEventType } from '@latchkey/contract/constants';
import type { Exchange } from '../../report/exchange.js';

/** One webhook request to the receiver of the tested app. */
export interface Delivery {
  /** Name of the case, such as `tampered`. Several deliveries of a case share it. */
  readonly label: string;
  readonly eventId: string;
  readonly type: WebhookEventType | (string & {});
  /** Undefined if the receiver did not respond in time. */
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly shown: Exchange;
}

/** Deliveries of a run, with the list of handled events that the app published afterwards. */
export interface WebhookRecord {
  readonly deliveries: readonly Delivery[];
  /** Lines of the app's list of handled events. Undefined without the action `handledEvents`. */
  readonly handled: readonly string[] | undefined;
  /** True if no encoding of a valid signature was accepted. */
  readonly isDeaf: boolean;
}
