import { phrase, t } from '../../../platform/language/language.js';

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
  { href: ACCOUNT_PATH, label: phrase('Overview') },
  { href: PAYMENTS_PATH, label: phrase('Payments') },
  { href: PROFILE_PATH, label: phrase('Profile') },
  { href: SESSIONS_PATH, label: phrase('Sessions') },
  { href: TWO_STEP_PATH, label: phrase('Two-step sign-in') },
] as const;

/** Returns the place of a page in the account area. */
export function inAccount(section: (typeof SECTIONS)[number]['href']) {
  const sections = SECTIONS.map(({ href, label }) => ({ href, label: t(label) }));
  return { area: 'account', sections, section } as const;
}

/** Confirmations by the value of the query parameter `done`. The value itself is never shown. */
const NOTICES: ReadonlyMap<string | null, string> = new Map([
  ['revoked', phrase('Access removed. The app is signed out and must ask you again.')],
  ['cancelled', phrase('Subscription cancelled. You keep access until the end of the period you paid for.')],
  ['accepted', phrase('Invitation accepted.')],
  ['declined', phrase("Invitation declined. This community can't invite you again for 90 days.")],
  ['left', phrase('You left. Your access has ended.')],
  ['resigned', phrase('You gave up the role. You and your API keys no longer have access to the community.')],
  ['renamed', phrase('Your name was saved.')],
  ['email', phrase('Your e-mail address was changed. All other browsers are signed out.')],
  ['two-step-off', phrase('Two-step sign-in is off. Signing in needs the e-mailed code only.')],
  ['setup-expired', phrase('The set-up has expired or was finished in another tab. Nothing was changed.')],
  ['session', phrase('You are signed out of that browser.')],
  ['others', phrase('You are signed out of all other browsers.')],
  ['others-and-apps', phrase('You are signed out of all other browsers and all apps.')],
]);

/** Returns the confirmation for a query. */
export function accountNotice(query: URLSearchParams): string | undefined {
  const notice = NOTICES.get(query.get('done'));
  return notice && t(notice);
}
