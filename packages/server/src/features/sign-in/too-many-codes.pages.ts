import type { Response } from 'express';
import { phrase, t } from '../../platform/language/language.js';
import { signInPath } from '../../web/kit/areas/continue-path.js';
import { type MessagePageProps, messagePage } from '../../web/kit/frame/message-page.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import type { BudgetScope } from './sign-in-budgets.js';
import type { ExhaustedBudget } from './sign-in-codes.js';

/** Longer waiting times are shown in hours. */
const MAX_MINUTES = 120;

const TITLES: Readonly<Record<'codes' | 'wrong codes', Readonly<Record<BudgetScope, string>>>> = {
  codes: {
    mailbox: phrase('Too many codes for this address'),
    browser: phrase('Too many codes for this address'),
    client: phrase('Too many codes from your network'),
    service: phrase('Too many codes at the moment'),
  },
  'wrong codes': {
    mailbox: phrase('Too many wrong codes for this address'),
    browser: phrase('Too many wrong codes for this address'),
    client: phrase('Too many wrong codes from your network'),
    service: phrase('Too many wrong codes at the moment'),
  },
};

const KNOWN_BROWSERS = phrase('Browsers that have signed in before are not affected.');
const NEW_LINK = phrase('Or request a new code, and open the link in its e-mail in this browser.');

/** During an attack, emails contain a link that gives a browser a separate allowance; see `createSignInCode`. */
const WAYS_AROUND: Readonly<
  Record<'codes' | 'wrong codes', Readonly<Record<BudgetScope, string | undefined>>>
> = {
  codes: {
    mailbox: phrase(
      'Or open the link in one of our newest e-mails to this address, in this browser. You can then request a code at once.',
    ),
    browser: undefined,
    client: KNOWN_BROWSERS,
    service: KNOWN_BROWSERS,
  },
  'wrong codes': { mailbox: NEW_LINK, browser: undefined, client: NEW_LINK, service: NEW_LINK },
};

/** `hasCode`: the browser still has a valid code. `accent`: of the client that the sign-in leads to. */
export function sendTooManyCodes(
  response: Response,
  {
    exhausted: { budget, availableAt },
    now,
    counted,
    continueTo,
    hasCode,
    accent,
  }: {
    exhausted: ExhaustedBudget;
    now: number;
    counted: 'codes' | 'wrong codes';
    continueTo: string;
    hasCode: boolean;
    accent: string | null | undefined;
  },
): void {
  const wayAround = WAYS_AROUND[counted][budget.scope];
  const verifyPath = `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`;
  sendWait(response, { availableAt, now }, (time) => ({
    title: t(TITLES[counted][budget.scope]),
    accent,
    text: [
      hasCode
        ? t('Use the newest code that this browser requested, or try again in {time}.', { time })
        : t('Try again in {time}.', { time }),
      ...(wayAround === undefined ? [] : [t(wayAround)]),
    ].join(' '),
    action: hasCode
      ? { href: verifyPath, label: t('Enter the code') }
      : { href: signInPath(continueTo), label: t('Back to sign-in') },
  }));
}

export function sendTooManySecondFactors(
  response: Response,
  wait: { availableAt: number; now: number } & Pick<MessagePageProps, 'accent' | 'action'>,
): void {
  sendWait(response, wait, (time) => ({
    title: t('Too many wrong codes for this account'),
    accent: wait.accent,
    text: t(
      'Try again in {time}, or use a recovery code. If you did not enter the wrong codes, someone else can read your e-mail: change the password of your mailbox.',
      { time },
    ),
    action: wait.action,
  }));
}

export function sendWait(
  response: Response,
  { availableAt, now }: { availableAt: number; now: number },
  pageFor: (time: string) => MessagePageProps,
): void {
  const seconds = Math.max(1, Math.ceil((availableAt - now) / 1000));
  response.set('Retry-After', `${seconds}`);
  sendPage(response, messagePage(pageFor(waitingTime(seconds))), { status: 429 });
}

function waitingTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > MAX_MINUTES) return t('{count} hours', { count: Math.ceil(minutes / 60) });
  return t('{count} minutes', { count: minutes });
}
