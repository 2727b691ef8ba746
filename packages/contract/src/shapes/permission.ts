/** Permissions that a user can select for a new API key (spec, "API keys", 2). */
export const SELECTABLE_PERMISSIONS = [
  'MEMBERSHIP_READ',
  'MEMBERSHIP_WRITE',
  'CHECKOUT_WRITE',
  'DROP_NOTIFICATION_WRITE',
] as const;

/** All permissions. `MEMBERSHIP_PROVISION` is granted to vetted partners only, on request. */
export const PERMISSIONS = [...SELECTABLE_PERMISSIONS, 'MEMBERSHIP_PROVISION'] as const;

export type Permission = (typeof PERMISSIONS)[number];
