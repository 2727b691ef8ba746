export const ACCOUNT_PATH = '/account';
export const PROFILE_PATH = '/account/profile';
/** Address of the change of the user's email address. */
export const EMAIL_PATH = '/account/email';
export const PAYMENTS_PATH = '/account/payments';
export const SESSIONS_PATH = '/account/sessions';
/** Address of the settings of two-step sign-in. */
export const TWO_STEP_PATH = '/account/two-step';
/** Address of the export of everything about the user. */
export const EXPORT_PATH = '/account/export';
export const DELETE_ACCOUNT_PATH = '/account/delete';

const SECTIONS = [
  { href: ACCOUNT_PATH, label: 'Overview' },
  { href: PAYMENTS_PATH, label: 'Payments' },
  { href: PROFILE_PATH, label: 'Profile' },
  { href: SESSIONS_PATH, label: 'Sessions' },
  { href: TWO_STEP_PATH, label: 'Two-step sign-in' },
] as const;

/** Returns the place of a page in the account area. */
export function inAccount(section: (typeof SECTIONS)[number]['href']) {
  return { area: 'account', sections: SECTIONS, section } as const;
}

/** Confirmations by the value of the query parameter `done`. The value itself is never shown. */
const NOTICES: ReadonlyMap<string | null, string> = new Map([
  ['revoked', 'Access removed. The app is signed out and must ask you again.'],
  ['cancelled', 'Subscription cancelled. You keep access until the end of the period you paid for.'],
  ['accepted', 'Invitation accepted.'],
  ['declined', "Invitation declined. This community can't invite you again for 90 days."],
  ['left', 'You left. Your access has ended.'],
  ['resigned', 'You gave up the role. You and your API keys no longer have access to the community.'],
  ['renamed', 'Your name was saved.'],
  ['email', 'Your e-mail address was changed. All other browsers are signed out.'],
  ['two-step-off', 'Two-step sign-in is off. Signing in needs the e-mailed code only.'],
  ['setup-expired', 'The set-up has expired or was finished in another tab. Nothing was changed.'],
  ['session', 'You are signed out of that browser.'],
  ['others', 'You are signed out of all other browsers.'],
  ['others-and-apps', 'You are signed out of all other browsers and all apps.'],
]);

/** Returns the confirmation for a query. */
export function accountNotice(query: URLSearchParams): string | undefined {
  return NOTICES.get(query.get('done'));
}
