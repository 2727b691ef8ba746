import type { Response } from 'express';
import type { BudgetScope } from '../../domain/sign-in/sign-in-budgets.js';
import type { ExhaustedBudget } from '../../domain/sign-in/sign-in-codes.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { signInPath } from './continue-path.js';

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
/** Longer waiting times are shown in hours. */
const MAX_MINUTES = 120;

const TITLES: Readonly<Record<'codes' | 'wrong codes', Readonly<Record<BudgetScope, string>>>> = {
  codes: {
    mailbox: 'Too many codes for this address',
    browser: 'Too many codes for this address',
    client: 'Too many codes from your network',
    service: 'Too many codes at the moment',
  },
  'wrong codes': {
    mailbox: 'Too many wrong codes for this address',
    browser: 'Too many wrong codes for this address',
    client: 'Too many wrong codes from your network',
    service: 'Too many wrong codes at the moment',
  },
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

interface TooManyCodes {
  budget: ExhaustedBudget;
  now: number;
  counted: 'codes' | 'wrong codes';
  continueTo: string;
  /** True if the browser has a code of its own that is still valid. */
  hasCode: boolean;
  /** Accent of the client that the sign-in leads to. */
  accent: string | null | undefined;
}

interface TooManySecondFactors {
  availableAt: number;
  now: number;
  action: { href: string; label: string };
  accent?: string | null | undefined;
}

/** Sends the page about an exhausted budget, with the true waiting time. */
export function sendTooManyCodes(
  response: Response,
  { budget: { scope, availableAt }, now, counted, continueTo, hasCode, accent }: TooManyCodes,
): void {
  const seconds = Math.max(1, Math.ceil((availableAt - now) / 1000));
  const ownCode = hasCode ? 'Use the newest code that this browser requested, or try' : 'Try';
  const verifyPath = `/sign-in/verify?${new URLSearchParams({ continue: continueTo })}`;
  const html = messagePage({
    title: TITLES[counted][scope],
    accent,
    text: `${ownCode} again in ${waitingTime(seconds)}.${WAYS_AROUND[counted][scope]}`,
    action: hasCode
      ? { href: verifyPath, label: 'Enter the code' }
      : { href: signInPath(continueTo), label: 'Back to sign-in' },
  });
  response.set('Retry-After', `${seconds}`);
  sendPage(response, html, { status: 429 });
}

/** Sends the page about too many wrong codes of an app, with the true waiting time. */
export function sendTooManySecondFactors(
  response: Response,
  { availableAt, now, action, accent }: TooManySecondFactors,
): void {
  const seconds = Math.max(1, Math.ceil((availableAt - now) / 1000));
  const html = messagePage({
    title: 'Too many wrong codes for this account',
    accent,
    text: `Try again in ${waitingTime(seconds)}, or use a recovery code. If you did not enter the wrong codes, someone else can read your e-mail: change the password of your mailbox.`,
    action,
  });
  response.set('Retry-After', `${seconds}`);
  sendPage(response, html, { status: 429 });
}

function waitingTime(seconds: number): string {
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  if (minutes > MAX_MINUTES) return `${Math.ceil(minutes / MINUTES_PER_HOUR)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
