import type { Request, Response } from 'express';
import type { Needs } from '../../app/services.js';
import type { OpenCheckout } from '../../domain/checkout/checkout.js';
import { redirect } from '../../platform/http/redirect.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sendPage } from '../ui/frame/send-page.js';

/**
 * True if the order costs money, or the buyer is signed in. Otherwise it sends the sign-in page or a failure. A free order
 * needs the buyer's consent: sellers could otherwise give memberships to strangers, past the invitations.
 *
 * @param path Root-relative path of the checkout, where the sign-in continues.
 */
export async function mayConfirm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  { request, response }: { request: Request; response: Response },
  { checkout: { offer, buyer }, path }: { checkout: OpenCheckout; path: string },
): Promise<boolean> {
  if (offer.amountMinor > 0) return true;
  const user = await findSignedInUser(needs, request);
  if (user === undefined) {
    redirect(response, 303, signInPath(path));
    return false;
  }
  if (user.id === buyer.id || (user.email !== null && user.email === buyer.email)) return true;
  const html = messagePage({
    title: 'Sign in as the buyer',
    text: 'This free order is for another account. Sign out, then open it again and sign in with the e-mail address of the order.',
    action: { href: '/account', label: 'Your account' },
  });
  sendPage(response, html, { status: 403 });
  return false;
}
