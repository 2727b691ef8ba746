import type { Request, Response } from 'express';
import type { Needs } from '../../app/services.js';
import { findSignInEmail, SIGN_IN_CODE_LIFETIME_SECONDS } from '../../domain/sign-in/sign-in-codes.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';

/** Binds a sign-in code to the browser that requested it. The code does not work in other browsers. */
const ATTEMPT_COOKIE: PageCookie = {
  name: 'latchkey_sign_in_attempt',
  lifetimeSeconds: SIGN_IN_CODE_LIFETIME_SECONDS,
};

/** Request of a browser for a code that is still valid. */
export interface CurrentAttempt {
  attemptSecret: string;
  email: string;
}

/** Returns the browser's newest request for a code, if the code is still valid. */
export async function findCurrentAttempt(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  request: Request,
): Promise<CurrentAttempt | undefined> {
  const attemptSecret = readCookie(needs, request, ATTEMPT_COOKIE);
  if (attemptSecret === undefined) return undefined;
  const email = await findSignInEmail(needs.db, attemptSecret, needs.clock.now());
  return email === undefined ? undefined : { attemptSecret, email };
}

/** Stores the secret of a request for a code in the browser. `undefined` deletes the stored one. */
export function writeAttempt(
  host: Pick<Needs<'baseUrl' | 'clock' | 'db'>, 'baseUrl'>,
  response: Response,
  attemptSecret: string | undefined,
): void {
  cookieWriter(host, ATTEMPT_COOKIE)(response, attemptSecret);
}
