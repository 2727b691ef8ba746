import type { Permission } from '@latchkey/contract/constants';

/** Explanations of the permissions of an API key (spec, "API-key endpoints"). */
export const PERMISSION_WORDING: Readonly<Record<Permission, string>> = {
  MEMBERSHIP_READ: 'Check if a messenger account has an active membership in your communities.',
  MEMBERSHIP_WRITE: 'Create invite links for buyers of a checkout.',
  CHECKOUT_WRITE: 'Open hosted checkouts for the plans of your communities.',
  DROP_NOTIFICATION_WRITE: 'Sign people up for the next drop of your communities.',
  MEMBERSHIP_PROVISION:
    'Grant memberships for orders that were paid elsewhere. Requires MEMBERSHIP_WRITE too. Approved partners only.',
};
