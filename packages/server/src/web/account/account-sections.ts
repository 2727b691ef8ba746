import type { AreaSection } from '../ui/frame/area-page.js';

/** Pages of the account area. */
export const ACCOUNT_SECTIONS: readonly AreaSection[] = [
  { href: '/account', label: 'Overview' },
  { href: '/account/profile', label: 'Profile' },
  { href: '/account/sessions', label: 'Sessions' },
];
