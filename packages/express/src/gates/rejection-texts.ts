import type { UserIdentity } from '@latchkey/oauth';
import type { Text, Translate } from '../http/language.js';
import type { PlainParagraph } from '../http/plain-page.js';

export type RejectionTexts = Readonly<Record<'title' | 'message' | 'hint' | 'label', Text>>;

export function signedOutMessage(hasExpired: boolean): string {
  return hasExpired ? 'The session has ended. Sign in again.' : 'Sign in first.';
}

/** A form can't be resubmitted after sign-in, so the visitor has to go back to its page. */
export const FORM_WHILE_SIGNED_OUT: RejectionTexts = {
  title: 'Please sign in first',
  message: 'You are no longer signed in, so nothing was saved.',
  hint: 'Sign in, then send the form again.',
  label: 'Sign in',
};

interface PageTexts {
  title: string;
  message: string;
  paragraphs: readonly PlainParagraph[];
}

export function notMemberTexts(
  t: Translate,
  reason: 'no_membership' | 'other_membership',
  { email }: UserIdentity,
): PageTexts {
  const account = email ?? t('Your account');
  const message =
    reason === 'no_membership'
      ? t('{account} has no active membership here.', { account })
      : t('{account} has an active membership, but not one that includes this page.', { account });
  const hint = t(
    'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.',
  );
  return { title: t('This page is for members'), message, paragraphs: [message, hint] };
}

/** @param ids memberships that aren't in the directory. The page shows each on a separate line. */
export function unknownMembershipTexts(
  t: Translate,
  ids: readonly string[],
  { email }: UserIdentity,
): PageTexts {
  const account = email ?? t('Your account');
  const lead = t('{account} has a membership that is not known here:', { account });
  const hint = t(
    'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.',
  );
  return {
    title: t('This site does not recognise your membership'),
    message: `${lead} ${ids.join(', ')}.`,
    paragraphs: [lead, ...ids.map((code) => ({ code })), hint],
  };
}

/** @param ids memberships that aren't in the directory. The built-in page shows each on a separate line, after `lead`. */
export function unconfirmedMembershipTexts(
  t: Translate,
  ids: readonly string[],
): { lead: string; hint: string; message: string } {
  const lead = t('Your membership exists, but this site does not recognise it yet:');
  const hint = t(
    'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.',
  );
  return { lead, hint, message: `${lead} ${ids.join(', ')}. ${hint}` };
}

/** What each scope discloses. */
const SCOPE_DESCRIPTIONS: Record<string, Text> = {
  'memberships.read': 'your memberships',
  'products.read': 'the products that you sell',
};

export function missingScopeTexts(t: Translate, missing: readonly string[]) {
  const described = missing.map((scope) => {
    const text = SCOPE_DESCRIPTIONS[scope];
    return text === undefined ? scope : t(text);
  });
  const data = new Intl.ListFormat(t.language).format(described);
  return {
    title: t('This page needs your permission'),
    message: t('This needs your permission to see {data}.', { data }),
    hint: t('The membership service asks you for it. Nothing else is shared.'),
    label: t('Allow access'),
  };
}

export const UNAVAILABLE: Omit<RejectionTexts, 'hint'> = {
  title: 'One moment, please',
  message: 'Your access cannot be checked at the moment. Please try again shortly.',
  label: 'Try again',
};

export const PAYMENT_PENDING: RejectionTexts = {
  title: 'Thank you, one moment',
  message: 'Your payment is being confirmed. This page continues by itself, usually within seconds.',
  hint: 'You do not need to do anything, and you need not pay again.',
  label: 'Check now',
};

export const PAYMENT_UNCONFIRMED: RejectionTexts = {
  title: 'Not confirmed yet',
  message: 'Your payment has not been confirmed yet. Some payments take a few minutes.',
  hint: 'You get access as soon as the confirmation arrives. You need not pay again.',
  label: 'Check again',
};
