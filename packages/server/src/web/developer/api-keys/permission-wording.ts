import type { Permission } from '@latchkey/contract/constants';

/** What each permission of an API key lets its holder do (spec, "API-key endpoints"). */
export const PERMISSION_WORDING: Readonly<Record<Permission, string>> = {
  MEMBERSHIP_READ: 'Ask whether a messenger account is an active member of your communities.',
  MEMBERSHIP_WRITE: 'Make invite links for people who bought through a checkout.',
  CHECKOUT_WRITE: 'Open hosted checkouts for the plans of your communities.',
  DROP_NOTIFICATION_WRITE: 'Sign people up for the next drop of your communities.',
  MEMBERSHIP_PROVISION:
    'Grant memberships for orders that were paid elsewhere. Needs MEMBERSHIP_WRITE as well. For vetted partners, such as you.',
};
