import { formatTimestamp } from '@latchkey/contract/constants';
import * as z from 'zod';
import { RECEIVER_PATH } from '../../receiver/receiver-path.js';
import {
  RECEIVER_MODES,
  type ReceivedDelivery,
  type ReceiverMode,
  type WebhookReceiver,
} from '../../receiver/webhook-receiver.js';
import type { Needs } from '../../services/services.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';

export interface ReceiverState {
  readonly url: string;
  readonly mode: ReceiverMode;
  /** Deliveries that arrived, newest first. */
  readonly arrived: readonly (Omit<ReceivedDelivery, 'receivedAt'> & {
    /** ISO 8601, by the service's clock. */
    readonly at: string;
  })[];
}

/** Endpoints of the built-in receiver of webhooks. */
export function receiverControlRoutes(
  services: Needs<'baseUrl'>,
  receiver: WebhookReceiver,
): readonly ControlRoute[] {
  const read = (): ReceiverState => ({
    url: `${services.baseUrl}${RECEIVER_PATH}`,
    mode: receiver.mode,
    arrived: receiver
      .list()
      .map(({ receivedAt, ...arrival }) => ({ at: formatTimestamp(receivedAt), ...arrival })),
  });
  return [
    controlRoute('GET /receiver', {
      summary: 'Returns the mode of the built-in receiver, and what arrived there, newest first.',
      handle: read,
    }),
    controlRoute('POST /receiver', {
      summary: 'Sets how the built-in receiver answers.',
      body: z.strictObject({
        mode: z
          .enum(RECEIVER_MODES)
          .describe('accept: 204, or 400 for a wrong signature. fail: 500. hang: no answer.'),
      }),
      handle({ body }) {
        receiver.mode = body.mode;
        return read();
      },
    }),
  ];
}
