import { phrase, t } from '../../../platform/language/language.js';
import { noticesOf } from './area-routes.js';

export const ACCOUNT_PATH = '/account';
export const PROFILE_PATH = '/account/profile';
export const EMAIL_PATH = '/account/email';
export const PAYMENTS_PATH = '/account/payments';
export const SESSIONS_PATH = '/account/sessions';
export const TWO_STEP_PATH = '/account/two-step';
export const EXPORT_PATH = '/account/export';
export const DELETE_ACCOUNT_PATH = '/account/delete';

const SECTIONS = [
  { href: ACCOUNT_PATH, label: phrase('Overview') },
  { href: PAYMENTS_PATH, label: phrase('Payments') },
  { href: PROFILE_PATH, label: phrase('Profile') },
  { href: SESSIONS_PATH, label: phrase('Sessions') },
  { href: TWO_STEP_PATH, label: phrase('Two-step sign-in') },
] as const;

export function inAccount(section: (typeof SECTIONS)[number]['href']) {
  const sections = SECTIONS.map(({ href, label }) => ({ href, label: t(label) }));
  return { area: 'account', sections, section } as const;
}

export const accountNotice = noticesOf({
  revoked: phrase('Access removed. The app is signed out and must ask you again.'),
  cancelled: phrase('Subscription cancelled. You keep access until the end of the period you paid for.'),
  accepted: phrase('Invitation accepted.'),
  declined: phrase("Invitation declined. This community can't invite you again for 90 days."),
  left: phrase('You left. Your access has ended.'),
  resigned: phrase('You gave up the role. You and your API keys no longer have access to the community.'),
  renamed: phrase('Your name was saved.'),
  email: phrase('Your e-mail address was changed. All other browsers are signed out.'),
  'two-step-off': phrase('Two-step sign-in is off. Signing in needs the e-mailed code only.'),
  'setup-expired': phrase('The set-up has expired or was finished in another tab. Nothing was changed.'),
  session: phrase('You are signed out of that browser.'),
  others: phrase('You are signed out of all other browsers.'),
  'others-and-apps': phrase('You are signed out of all other browsers and all apps.'),
});
