import type { Request, Response } from 'express';
import { PROVEN_BROWSER_LIFETIME_SECONDS } from '../../domain/two-step/proven-browsers.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { hashSecret } from '../../platform/secrets.js';

interface CookieHost {
  readonly baseUrl: string;
}

/** Characters of the hash of the user's id in the cookie's name. */
const NAME_LENGTH = 16;

/** Each user has a cookie of their own, so that users of one browser don't replace each other's. */
function cookieOf(userId: string): PageCookie {
  const name = `latchkey_proven_${hashSecret(userId).slice(0, NAME_LENGTH)}`;
  return { name, lifetimeSeconds: PROVEN_BROWSER_LIFETIME_SECONDS };
}

/** Returns the secret of a browser in which the user entered a second factor before. */
export function readProvenSecret(host: CookieHost, request: Request, userId: string): string | undefined {
  return readCookie(host, request, cookieOf(userId));
}

/** Stores the secret in the browser in which the user has just entered a second factor. */
export function writeProvenSecret(
  host: CookieHost,
  response: Response,
  { userId, provenSecret }: { userId: string; provenSecret: string },
): void {
  cookieWriter(host, cookieOf(userId))(response, provenSecret);
}
