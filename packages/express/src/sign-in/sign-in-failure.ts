import type { OAuthClientError } from '@latchkey/oauth';
import { prefersHtml, sendError } from '../answer.js';
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

/** Tells the visitor why the sign-in failed and how to try again. */
export async function explainFailure(
  { kit, request, response }: RouteContext,
  reason: SignInFailure,
  attempt?: SignInAttempt,
): Promise<void> {
  const { status, title, message } = EXPLANATIONS[reason];
  if (!prefersHtml(request)) return sendError(response, status, { error: 'sign_in_failed', message });
  const { appOrigin, pages } = kit.settings;
  const query = attempt ? `?returnTo=${encodeURIComponent(attempt.returnTo.slice(appOrigin.length))}` : '';
  const retryUrl = `${kit.publicMountPath}/login${query}`;
  response.status(status);
  if (pages.signInFailed !== undefined) {
    await pages.signInFailed(request, response, { reason, message, retryUrl });
    return;
  }
  sendPlainPage(response, { title, paragraphs: [message], link: { href: retryUrl, label: 'Try again' } });
}

/** For the log: what commonly keeps the cookie of an attempt from coming back, as far as this request shows it. */
export function missingCookieCauses({ kit, request }: RouteContext): Record<string, unknown> {
  const { appOrigin } = kit.settings;
  const { host } = new URL(appOrigin);
  const causes = ['the visitor took more than ten minutes', 'the sign-in began in another browser'];
  if (request.headers.cookie === undefined) {
    causes.unshift('no cookie came at all: the browser may block them');
  }
  if (request.headers.host !== host) {
    causes.unshift(
      `the request came for another host than appUrl (${host}): either visitors began on that other host, or a proxy replaces the Host header`,
    );
  }
  if (appOrigin.startsWith('https:')) {
    causes.push('the app was opened over http, where browsers refuse Secure cookies');
  }
  return { likelyCauses: causes };
}
