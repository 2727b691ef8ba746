import type { Request, Response } from 'express';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { hashSecret } from '../../platform/secrets.js';

/** Contains the hash of the secret of the checkout that this browser paid last, and whether it has shown the receipt. */
const RECEIPT_COOKIE: PageCookie = { name: 'latchkey_service_receipt', lifetimeSeconds: 3600 };
const SEEN = 'seen.';

interface CookieHost {
  readonly baseUrl: string;
}

/** Remembers in the browser that it paid the checkout. */
export function rememberPayment(host: CookieHost, response: Response, secret: string): void {
  cookieWriter(host, RECEIPT_COOKIE)(response, hashSecret(secret));
}

/**
 * Returns `just-paid` the first time after this browser paid the checkout, `paid` later, and `undefined` if this browser did
 * not pay it.
 */
export function takePayment(
  host: CookieHost,
  { request, response }: { request: Request; response: Response },
  secret: string,
): 'just-paid' | 'paid' | undefined {
  const value = readCookie(host, request, RECEIPT_COOKIE);
  const hash = hashSecret(secret);
  if (value === `${SEEN}${hash}`) return 'paid';
  if (value !== hash) return undefined;
  cookieWriter(host, RECEIPT_COOKIE)(response, `${SEEN}${hash}`);
  return 'just-paid';
}
