import type { UserIdentity } from '@latchkey/oauth';
import type { PlainParagraph } from '../http/plain-page.js';

export interface RejectionTexts {
  title: string;
  message: string;
  hint: string;
  label: string;
}

export function signedOutMessage(hasExpired: boolean): string {
  return hasExpired ? 'The session has ended. Sign in again.' : 'Sign in first.';
}

/** A form cannot be resubmitted after sign-in, so the visitor has to go back to its page. */
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
  reason: 'no_membership' | 'other_membership',
  { email }: UserIdentity,
): PageTexts {
  const account = email ?? 'Your account';
  const message =
    reason === 'no_membership'
      ? `${account} has no active membership here.`
      : `${account} has an active membership, but not one that includes this page.`;
  const hint =
    'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.';
  return { title: 'This page is for members', message, paragraphs: [message, hint] };
}

/** @param ids Memberships that the directory does not contain. The page has them on lines of their own. */
export function unknownMembershipTexts(ids: readonly string[], { email }: UserIdentity): PageTexts {
  const account = email ?? 'Your account';
  const lead = `${account} has a membership that is not known here:`;
  const hint =
    'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.';
  return {
    title: 'This site does not recognise your membership',
    message: `${lead} ${ids.join(', ')}.`,
    paragraphs: [lead, ...ids.map((code) => ({ code })), hint],
  };
}

/** @param ids Memberships that the directory does not contain. The built-in page has them on lines of their own, after `lead`. */
export function unconfirmedMembershipTexts(ids: readonly string[]): {
  lead: string;
  hint: string;
  message: string;
} {
  const lead = 'Your membership exists, but this site does not recognise it yet:';
  const hint =
    'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.';
  return { lead, hint, message: `${lead} ${ids.join(', ')}. ${hint}` };
}

export const UPGRADE_LABEL = 'Get access';
export const SWITCH_LABEL = 'Switch account';
export const RETRY_LABEL = 'Try again';

/** Descriptions of the data that each scope discloses. */
const SCOPE_DESCRIPTIONS: Record<string, string> = {
  'memberships.read': 'your memberships',
  'products.read': 'the products that you sell',
};

export function missingScopeTexts(missing: readonly string[]): RejectionTexts {
  const data = missing.map((scope) => SCOPE_DESCRIPTIONS[scope] ?? scope).join(' and ');
  return {
    title: 'This page needs your permission',
    message: `This needs your permission to see ${data}.`,
    hint: 'The membership service asks you for it. Nothing else is shared.',
    label: 'Allow access',
  };
}

export const UNAVAILABLE: Omit<RejectionTexts, 'hint'> = {
  title: 'One moment, please',
  message: 'Your access cannot be checked at the moment. Please try again shortly.',
  label: RETRY_LABEL,
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

export const START_PAGE_LABEL = 'Go to the start page';
export const SIGN_OUT_LABEL = 'Sign out';
