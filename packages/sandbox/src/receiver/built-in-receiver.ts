/** Path of the sandbox's webhook endpoint. */
export const RECEIVER_PATH = '/sandbox/webhooks/receiver';

/** Behaviours of the receiver: accept valid deliveries, respond with 500, or not respond. */
export const RECEIVER_MODES = ['accept', 'fail', 'hang'] as const;

export type ReceiverMode = (typeof RECEIVER_MODES)[number];
