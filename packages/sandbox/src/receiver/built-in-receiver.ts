export const RECEIVER_PATH = '/sandbox/webhooks/receiver';

/** How the receiver behaves: it accepts valid deliveries, responds with 500, or doesn't respond. */
export const RECEIVER_MODES = ['accept', 'fail', 'hang'] as const;

export type ReceiverMode = (typeof RECEIVER_MODES)[number];
