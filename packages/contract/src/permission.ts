/** Permissions that the maker of an API key can choose (spec, "API keys", 2). Zod-free. */
export const SELECTABLE_PERMISSIONS = [
  'MEMBERSHIP_READ',
  'MEMBERSHIP_WRITE',
  'CHECKOUT_WRITE',
  'DROP_NOTIFICATION_WRITE',
] as const;

/** Every permission; `MEMBERSHIP_PROVISION` is granted to vetted partners only, on request. */
export const PERMISSIONS = [...SELECTABLE_PERMISSIONS, 'MEMBERSHIP_PROVISION'] as const;

/** One permission of an API key. */
export type Permission = (typeof PERMISSIONS)[number];
