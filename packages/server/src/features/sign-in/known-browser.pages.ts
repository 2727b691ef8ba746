import type { Request, Response } from 'express';
import type { Needs } from '../../app/services.js';
import { clientNetwork, clientSite } from '../../platform/http/client-network.js';
import { cookieWriter, type PageCookie, readCookie } from '../../platform/http/cookies.js';
import { t } from '../../platform/language/language.js';
import { hashSecret } from '../../platform/secrets.js';
import type { AreaAnswer, Visit } from '../../web/kit/areas/area-routes.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import {
  findKnownAddress,
  forgetBrowser,
  KNOWN_BROWSER_LIFETIME_SECONDS,
  rememberBrowser,
} from './known-browsers.js';
import type { SignInVisitor } from './sign-in-budgets.js';

const LINK_PATH = '/sign-in/browser';

const NAME_LENGTH = 16;

/** Each email address has a separate cookie. Another person's link can't replace it. */
function cookieOf(email: string): PageCookie {
  const name = `latchkey_known_${hashSecret(email).slice(0, NAME_LENGTH)}`;
  return { name, lifetimeSeconds: KNOWN_BROWSER_LIFETIME_SECONDS };
}

export type FindVisitor = (request: Request, email: string) => Promise<SignInVisitor>;

/** Warns once if there is a proxy in front of the server and `trustProxy` isn't set. */
export function createFindVisitor(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'trustProxy'>,
): FindVisitor {
  const { clock, db, logger, trustProxy } = needs;
  let hasWarned = false;
  return async (request, email) => {
    if (!hasWarned && trustProxy === false && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      logger.warn(
        { option: 'trustProxy' },
        'X-Forwarded-For is ignored, so all visitors behind a proxy share one limit of sign-in codes. Set trustProxy if there is a proxy.',
      );
    }
    const secret = readCookie(needs, request, cookieOf(email));
    const proved = secret && (await findKnownAddress(db, secret, clock.now()));
    return {
      client: clientNetwork(request.ip),
      site: clientSite(request.ip),
      // A browser that has proved the address before.
      knownBrowser: secret && proved === email ? hashSecret(secret) : undefined,
    };
  };
}

export async function rememberThisBrowser(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  { request, response }: { request: Request; response: Response },
  email: string | null,
): Promise<void> {
  if (email === null) return;
  const { db, clock } = needs;
  const cookie = cookieOf(email);
  const previous = readCookie(needs, request, cookie);
  const lifetimeSeconds = KNOWN_BROWSER_LIFETIME_SECONDS;
  cookieWriter(needs, cookie)(response, await rememberBrowser(db, { email, lifetimeSeconds }, clock.now()));
  if (previous !== undefined) await forgetBrowser(db, previous);
}

export function knownBrowserLink(baseUrl: string, secret: string): string {
  return `${baseUrl}${LINK_PATH}?${new URLSearchParams({ key: secret })}`;
}

/** Handles the link from an email. It changes which budget counts, and doesn't sign in. */
export function openKnownBrowserLink(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return async ({ response, query }: Visit): Promise<AreaAnswer> => {
    const secret = query.get('key');
    const email = secret === null ? undefined : await findKnownAddress(db, secret, clock.now());
    if (secret === null || email === undefined) {
      return sendMessage(response, 400, {
        title: t('This link has expired'),
        text: t('Request a code. If that is rejected, open the link in our newest e-mail.'),
        action: { href: '/sign-in', label: t('Back to sign-in') },
      });
    }
    cookieWriter(needs, cookieOf(email))(response, secret);
    // Leads to the form for the code if the browser has requested one, else to the form for the address.
    return '/sign-in/verify';
  };
}
