/** Path of the sandbox's webhook endpoint. */
export const RECEIVER_PATH = '/sandbox/webhooks/receiver';
