import type { OAuthClientError } from '@latchkey/oauth';
import { prefersHtml, sendError } from '../answer.js';
import { cookiesWithPrefix } from '../cookies.js';
import type { Kit } from '../kit.js';
import type { SignInFailure } from '../pages/latchkey-pages.js';
import { sendPlainPage } from '../pages/plain-page.js';
import type { RouteContext } from '../routes/kit-route.js';
import { isOutage } from '../service-failure.js';
import type { SignInAttempt } from './sign-in-attempt.js';

interface Explanation {
  status: number;
  title: string;
  message: string;
}

const EXPLANATIONS: Record<SignInFailure, Explanation> = {
  declined: {
    status: 403,
    title: 'You are not signed in',
    message: 'Access was declined, so nothing was shared with this site. You can sign in whenever you like.',
  },
  already_used: {
    status: 400,
    title: 'This sign-in has been used already',
    message:
      'It works once. Most often the Back button or a reload leads here; a new sign-in takes a moment.',
  },
  cookie_missing: {
    status: 400,
    title: 'Sign-in could not be completed',
    message:
      'Your browser did not send back the cookie that this sign-in began with. It may block cookies, the sign-in may have begun in another browser, or it may have taken more than ten minutes.',
  },
  expired: {
    status: 400,
    title: 'Sign-in took too long',
    message: 'For your safety a sign-in has to be completed soon after it begins. Please try once more.',
  },
  invalid_response: {
    status: 400,
    title: 'Sign-in could not be completed',
    message: 'The address that led here does not belong to a sign-in of this site. Please start a new one.',
  },
  refused: {
    status: 502,
    title: 'Sign-in is not working at the moment',
    message:
      'The sign-in service refused the request of this site. Its owner can find the reason in the log.',
  },
  service_unavailable: {
    status: 503,
    title: 'Sign-in is not available right now',
    message: 'The sign-in service could not be reached. Please try again in a moment.',
  },
};

/** What a visitor needs to know of an error on the way back from the service. */
export function failureOfError(error: OAuthClientError): SignInFailure {
  if (error.code === 'access_denied') return 'declined';
  if (error.code === 'invalid_grant') return 'expired';
  if (error.code === 'state_mismatch') return 'invalid_response';
  return isOutage(error) ? 'service_unavailable' : 'refused';
}

/** Instead of {@link EXPLANATIONS}, for who is signed in all the same. */
const WHILE_SIGNED_IN: Partial<Record<SignInFailure, Pick<Explanation, 'title' | 'message'>>> = {
  declined: {
    title: 'Nothing has changed',
    message: 'Access was declined, so nothing more was shared with this site. You are still signed in.',
  },
  already_used: {
    title: 'You are signed in already',
    message: 'This sign-in was finished before. Most often the Back button or a reload leads here.',
  },
  cookie_missing: {
    title: 'You are signed in already',
    message:
      'The address that led here belongs to a sign-in that this browser did not begin, or has finished before.',
  },
};

/** Tells the visitor why the sign-in failed and how to try again. */
export async function explainFailure(
  { kit, visit, request, response }: RouteContext,
  reason: SignInFailure,
  attempt?: SignInAttempt,
): Promise<void> {
  const { status, ...explanation } = EXPLANATIONS[reason];
  const { signedIn } = visit;
  const { title, message } = (signedIn ? WHILE_SIGNED_IN[reason] : undefined) ?? explanation;
  if (!prefersHtml(request)) return sendError(response, status, { error: 'sign_in_failed', message });
  const { appPath, pages } = kit.settings;
  const retryUrl = retryOf(kit, attempt);
  response.status(status);
  if (pages.signInFailed !== undefined) {
    await pages.signInFailed(request, response, { reason, message, retryUrl, signedIn });
    return;
  }
  const links = [{ href: retryUrl, label: 'Try again' }];
  if (signedIn) links.unshift({ href: `${appPath}/`, label: 'Continue' });
  const [link, otherLink] = links;
  sendPlainPage(response, { title, paragraphs: [message], link, otherLink });
}

/** Begins the attempt anew: the same page to come back to, and the same scopes. */
function retryOf({ settings, publicMountPath }: Kit, attempt: SignInAttempt | undefined): string {
  const query = new URLSearchParams();
  if (attempt !== undefined) query.set('returnTo', attempt.returnTo.slice(settings.appOrigin.length));
  const wider = attempt?.scopes.filter((scope) => !settings.scopes.some((each) => each === scope)) ?? [];
  if (wider.length > 0) query.set('scope', wider.join(' '));
  return `${publicMountPath}/login${query.size === 0 ? '' : `?${query}`}`;
}

/** For the log: what commonly keeps the cookie of an attempt from coming back, likeliest first by this request. */
export function missingCookieCauses({ kit, visit, request }: RouteContext): Record<string, unknown> {
  const { appOrigin } = kit.settings;
  const { headers } = request;
  const { host } = new URL(appOrigin);
  const isHttps = appOrigin.startsWith('https:');
  const proto = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const others = cookiesWithPrefix(headers.cookie, kit.attemptCookie.name).length;
  const seen: [boolean, string][] = [
    [
      visit.signedIn,
      'the visitor is signed in: the Back button, a reload or a bookmark has opened a finished sign-in again',
    ],
    [
      isHttps && proto === 'http',
      'a proxy says that the visitor came over http, where browsers keep no Secure cookie: redirect http to https',
    ],
    [
      headers.host !== host,
      `the request came for another host than appUrl (${host}): either visitors began on that other host, or a proxy replaces the Host header`,
    ],
    [
      /^(iframe|frame|embed|object)$/.test(String(headers['sec-fetch-dest'] ?? '')),
      'the app is in a frame of another site, where browsers send no SameSite=Lax cookie: let it sign in in a window of its own',
    ],
    [
      headers.cookie === undefined,
      'no cookie came at all: the browser blocks them, or a proxy drops the Cookie header',
    ],
    [
      others > 0,
      'cookies of other sign-ins came: this one was used before (Back button), or was one of too many at once',
    ],
  ];
  return {
    likelyCauses: [
      ...seen.filter(([applies]) => applies).map(([, cause]) => cause),
      'the visitor took more than ten minutes',
      'the sign-in began in another browser',
      ...(isHttps ? ['the app was opened over http, where browsers refuse Secure cookies'] : []),
    ],
  };
}
