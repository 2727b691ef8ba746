import type { Response } from 'express';
import type { BudgetScope } from '../../domain/sign-in/sign-in-budgets.js';
import type { ExhaustedBudget } from '../../domain/sign-in/sign-in-codes.js';
import { type MessagePageProps, messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { signInPath } from './continue-path.js';

/** Longer waiting times are shown in hours. */
const MAX_MINUTES = 120;

const WHERE: Readonly<Record<BudgetScope, string>> = {
  mailbox: 'for this address',
  browser: 'for this address',
  client: 'from your network',
  service: 'at the moment',
};

const KNOWN_BROWSERS = ' Browsers that have signed in before are not affected.';
const NEW_LINK = ' Or request a new code, and open the link in its e-mail in this browser.';

/** During an attack, mails contain a link that gives a browser an allowance of its own; see `createSignInCode`. */
const WAYS_AROUND: Readonly<Record<'codes' | 'wrong codes', Readonly<Record<BudgetScope, string>>>> = {
  codes: {
    mailbox:
      ' Or open the link in one of our newest e-mails to this address, in this browser. You can then request a code at once.',
    browser: '',
    client: KNOWN_BROWSERS,
    service: KNOWN_BROWSERS,
  },
  'wrong codes': { mailbox: NEW_LINK, browser: '', client: NEW_LINK, service: NEW_LINK },
};

/**
 * Sends the page about an exhausted budget, with the true waiting time.
 *
 * @param options.hasCode True if the browser has a code of its own that is still valid.
 * @param options.accent Accent of the client that the sign-in leads to.
 */
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
  const ownCode = hasCode ? 'Use the newest code that this browser requested, or try' : 'Try';
  const verifyPath = `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`;
  sendWait(response, { availableAt, now }, (time) => ({
    title: `Too many ${counted} ${WHERE[budget.scope]}`,
    accent,
    text: `${ownCode} again in ${time}.${WAYS_AROUND[counted][budget.scope]}`,
    action: hasCode
      ? { href: verifyPath, label: 'Enter the code' }
      : { href: signInPath(continueTo), label: 'Back to sign-in' },
  }));
}

/** Sends the page about too many wrong codes of an app, with the true waiting time. */
export function sendTooManySecondFactors(
  response: Response,
  wait: { availableAt: number; now: number } & Pick<MessagePageProps, 'accent' | 'action'>,
): void {
  sendWait(response, wait, (time) => ({
    title: 'Too many wrong codes for this account',
    accent: wait.accent,
    text: `Try again in ${time}, or use a recovery code. If you did not enter the wrong codes, someone else can read your e-mail: change the password of your mailbox.`,
    action: wait.action,
  }));
}

/** Sends a page with status 429, `Retry-After` and the true waiting time in words. */
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
  if (minutes > MAX_MINUTES) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
