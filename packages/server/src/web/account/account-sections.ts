import type { AreaSection } from '../ui/frame/area-page.js';

/** Address of the settings of two-step sign-in. */
export const TWO_STEP_PATH = '/account/two-step';

export const DELETE_ACCOUNT_PATH = '/account/delete';

/** Pages of the account area. */
export const ACCOUNT_SECTIONS: readonly AreaSection[] = [
  { href: '/account', label: 'Overview' },
  { href: '/account/profile', label: 'Profile' },
  { href: '/account/sessions', label: 'Sessions' },
  { href: TWO_STEP_PATH, label: 'Two-step sign-in' },
];
