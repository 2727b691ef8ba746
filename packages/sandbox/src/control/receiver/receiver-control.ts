import { formatTimestamp } from '@latchkey/contract/constants';
import { RECEIVER_PATH, type ReceiverMode } from '../../receiver/built-in-receiver.js';
import type { ReceivedDelivery, WebhookReceiver } from '../../receiver/webhook-receiver.js';
import type { Needs } from '../../services/services.js';
import type { ControlHandlers } from '../routes/routes.js';

export interface ReceiverState {
  readonly url: string;
  readonly mode: ReceiverMode;
  /** Deliveries that arrived, newest first. */
  readonly arrived: readonly (Omit<ReceivedDelivery, 'receivedAt'> & {
    /** ISO 8601, by the service's clock. */
    readonly at: string;
  })[];
}

export function receiverHandlers(services: Needs<'baseUrl'>, receiver: WebhookReceiver) {
  const read = (): ReceiverState => ({
    url: `${services.baseUrl}${RECEIVER_PATH}`,
    mode: receiver.mode,
    arrived: receiver
      .list()
      .map(({ receivedAt, ...arrival }) => ({ at: formatTimestamp(receivedAt), ...arrival })),
  });
  return {
    'GET /receiver': read,
    'POST /receiver'({ body }) {
      receiver.mode = body.mode;
      return read();
    },
  } satisfies Partial<ControlHandlers>;
}
