/** How the provider sends its webhooks: at once, ten minutes late, twice, or only by hand. */
export const WEBHOOK_MODES = ['send', 'late', 'double', 'withhold'] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number];

/** What the buyer does on a page of the provider. `arrive`: the transfer arrives now. */
export const BUYER_ANSWERS = ['approve', 'fail', 'arrive'] as const;
export type BuyerAnswer = (typeof BUYER_ANSWERS)[number];
