import { prefersHtml, sendError } from '../answer.js';
import type { MembershipAnswer } from '../memberships/membership-cache.js';
import type { ForbiddenDetails } from '../pages/latchkey-pages.js';
import { sendPlainPage } from '../pages/plain-page.js';
import type { RouteContext } from '../routes/kit-route.js';
import type { Session } from '../session/session.js';
import { safeAddress } from '../sign-in/return-to.js';

/** Options of one gate. */
export interface GateOptions {
  /**
   * What those get who may not pass: pages and redirects, or JSON with 401 and 403. Default: by the `Accept` header;
   * a browser navigation gets HTML, everything else JSON.
   */
  respond?: 'html' | 'json' | undefined;
}

/** Nobody is signed in: a page leads to sign-in and back, a script gets 401. */
export function askToSignIn(context: RouteContext, options: GateOptions): void {
  const { kit, visit, request, response } = context;
  const loginPath = `${kit.publicMountPath}/login`;
  if (!wantsHtml(context, options)) {
    const message = visit.expired ? 'The session has ended. Sign in again.' : 'Sign in first.';
    sendError(response, 401, { error: 'sign_in_required', message });
  } else if (request.method === 'GET' || request.method === 'HEAD') {
    const wanted = safeAddress(visit.publicPath, kit.settings);
    const query = wanted === undefined ? '' : `?returnTo=${encodeURIComponent(visit.publicPath)}`;
    response.redirect(302, `${kit.settings.appOrigin}${loginPath}${query}`);
  } else {
    // What a form has sent cannot be carried through a sign-in; the page that sent it can be gone back to.
    sendPlainPage(response.status(401), {
      title: 'Please sign in first',
      paragraphs: [
        'You are not signed in any more, so nothing was saved. Sign in, then send the form again.',
      ],
      link: { href: loginPath, label: 'Sign in' },
    });
  }
}

/** Signed in, but without the membership. */
export async function refuseNonMember(
  context: RouteContext,
  options: GateOptions,
  { session, answer }: { session: Session; answer: MembershipAnswer },
): Promise<void> {
  const { kit, request, response } = context;
  const { memberships } = answer;
  const reason = memberships.length === 0 ? 'no_membership' : 'other_membership';
  const who = session.user.email ?? 'Your account';
  const message =
    reason === 'no_membership'
      ? `${who} has no active membership here.`
      : `${who} has an active membership, but not the one that opens this page.`;
  if (!wantsHtml(context, options)) {
    return sendError(response, 403, { error: 'membership_required', message });
  }
  response.status(403);
  const { forbidden } = kit.settings.pages;
  const signOutPath = `${kit.publicMountPath}/logout`;
  if (forbidden !== undefined) {
    const details: ForbiddenDetails = { reason, message, user: session.user, memberships, signOutPath };
    await forbidden(request, response, details);
    return;
  }
  sendPlainPage(response, {
    title: 'This page is for members',
    paragraphs: [message, 'If you have another account, sign out and sign in with that one.'],
    link: { href: `${kit.settings.appPath}/`, label: 'To the start page' },
    form: { action: signOutPath, label: 'Sign out' },
  });
}

/** The service cannot be asked, and nothing remembered is recent enough: nobody passes. */
export async function reportOutage(context: RouteContext, options: GateOptions): Promise<void> {
  const { kit, request, response } = context;
  const message = 'Your access cannot be checked at the moment. Please try again shortly.';
  if (!wantsHtml(context, options)) {
    return sendError(response, 503, { error: 'service_unavailable', message });
  }
  response.setHeader('Retry-After', '5');
  response.status(503);
  const { unavailable } = kit.settings.pages;
  if (unavailable !== undefined) {
    await unavailable(request, response);
    return;
  }
  const retry = request.method === 'GET' ? safeAddress(context.visit.publicPath, kit.settings) : undefined;
  sendPlainPage(response, {
    title: 'One moment, please',
    paragraphs: [message],
    ...(retry === undefined ? {} : { link: { href: retry, label: 'Try again' } }),
  });
}

function wantsHtml({ request }: RouteContext, { respond }: GateOptions): boolean {
  return respond === undefined ? prefersHtml(request) : respond === 'html';
}
