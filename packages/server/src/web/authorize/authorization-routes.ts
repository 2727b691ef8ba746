import { PATHS } from '@latchkey/contract/constants';
import { type RequestHandler, type Response, Router } from 'express';
import type { Needs, Services } from '../../app/services.js';
import { issueAuthorizationCode } from '../../domain/oauth/authorization-codes.js';
import { type CheckedAuthorization, checkAuthorization } from '../../domain/oauth/check-authorization.js';
import { hostedCallbackOf } from '../../domain/oauth/client-settings.js';
import { grantConsent } from '../../domain/oauth/consents.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { invalidRequest, sendOAuthError } from '../../platform/http/oauth-error.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser, isStillSignedIn } from '../sign-in/user-session.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { formTargetOf, sendPage } from '../ui/frame/send-page.js';
import { consentPage } from './consent-page.js';
import { rejectionLog } from './rejection-log.js';

/** Path of the consent page. Its query is the query of the authorization request. */
const CONSENT_PATH = '/oauth/consent';

/** Returns the root-relative path of the consent page for an authorization request. */
function consentPath(query: Readonly<Record<string, string>>): string {
  return `${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

/** `GET /oauth/consent`: shows the consent page after the same checks as authorize. */
function showConsent(needs: Needs<'baseUrl' | 'clock' | 'db' | 'site'>): RequestHandler {
  return async (request, response) => {
    const checked = await checkAuthorization(needs, requestQuery(request));
    if (checked.kind === 'rejected') return sendAuthorizationRejection(response, checked);
    const { client, redirectUri, receiver, scopes, query } = checked.request;

    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(authorizePath(query)));

    const html = consentPage({
      client,
      service: needs.site.brand,
      isVerified: client.verifiedAt !== null,
      user: { email: user.email, name: user.name ?? undefined },
      scopes,
      receiver,
      closesWindow: redirectUri === hostedCallbackOf(needs.baseUrl, client.clientId),
      query,
      account: user.id,
    });
    sendPage(response, html, { formTargets: [formTargetOf(redirectUri)] });
  };
}

/** `POST /oauth/consent`: checks the request from the form again, because the browser can change it. */
function decideConsent(needs: Needs<'baseUrl' | 'clock' | 'db' | 'site'>): RequestHandler {
  const { db, clock } = needs;
  return async (request, response) => {
    const form = formOf(request);
    const checked = await checkAuthorization(needs, form);
    if (checked.kind === 'rejected') return sendAuthorizationRejection(response, checked);
    const { client, redirectUri, scopes, codeChallenge, query } = checked.request;

    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 303, signInPath(authorizePath(query)));

    const decision = form.get('decision');
    if (decision === 'decline') {
      return sendAuthorizationResponse(response, checked.request, { error: 'access_denied' });
    }
    if (decision !== 'allow') {
      const html = messagePage({
        title: 'Choose Allow or Decline',
        text: 'The form was sent without your decision. Go back and choose one.',
        action: { href: authorizePath(query), label: 'Go back to the request' },
      });
      return sendPage(response, html, { status: 400 });
    }
    // The user switched accounts in another tab. The new account must decide for itself.
    if (form.get('account') !== user.id) return redirect(response, 303, consentPath(query));
    const key = { userId: user.id, clientId: client.clientId };
    await grantConsent(db, { ...key, scopes }, clock.now());
    const isSignedIn = (transaction: Database) =>
      isStillSignedIn({ ...needs, db: transaction }, request, user.id);
    const code = await issueAuthorizationCode(
      db,
      { ...key, redirectUri, scopes, codeChallenge, isSignedIn },
      clock.now(),
    );
    // The consent was revoked or the session ended at the same moment in another tab.
    if (code === undefined) return redirect(response, 303, consentPath(query));
    sendAuthorizationResponse(response, checked.request, { code });
  };
}

/** Routes of authorize and consent. They use the service's cookies, so they have no CORS headers. */
export function authorizationRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const only = (method: string) => methodNotAllowed(method);
  router.route(PATHS.authorize).get(authorize(needs)).all(only('GET'));
  router
    .route(CONSENT_PATH)
    .get(showConsent(needs))
    .post(sameOriginGuard(needs), readForm, decideConsent(needs))
    .all(only('GET, POST'));
  return router;
}

/**
 * `GET /oauth/authorize` (spec, section of that name): runs the checks of `AUTHORIZATION_STEPS`, then sign-in, then
 * consent, then redirects with a code. Sign-in and consent are skipped if they happened before.
 */
function authorize(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger'>): RequestHandler {
  const { db, clock } = needs;
  const logRejection = rejectionLog(needs);
  return async (request, response) => {
    const checked = await checkAuthorization(needs, requestQuery(request));
    if (checked.kind === 'rejected') {
      logRejection(checked);
      return sendAuthorizationRejection(response, checked);
    }
    const { client, redirectUri, scopes, codeChallenge, query } = checked.request;

    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(authorizePath(query)));

    const grant = { clientId: client.clientId, userId: user.id, redirectUri, scopes, codeChallenge };
    const isSignedIn = (transaction: Database) =>
      isStillSignedIn({ ...needs, db: transaction }, request, user.id);
    const code = await issueAuthorizationCode(db, { ...grant, isSignedIn }, clock.now());
    if (code === undefined) return redirect(response, 302, consentPath(query));
    sendAuthorizationResponse(response, checked.request, { code });
  };
}

/** Sends the response to a rejected request: 400 JSON, or 302 with `error` and `state` to the verified redirect URI. */
function sendAuthorizationRejection(
  response: Response,
  { rejection, parameters }: Extract<CheckedAuthorization, { kind: 'rejected' }>,
): void {
  if (rejection.kind === 'bad-request') {
    sendOAuthError(response, invalidRequest(rejection.description));
    return;
  }
  const { redirectUri, state } = parameters;
  if (redirectUri === undefined) throw new Error('A rejection by redirect requires a redirect URI.');
  sendAuthorizationResponse(response, { redirectUri, state }, { error: rejection.error });
}

/** Redirects the browser to the client with `code` or `error`, and with `state` if the request had one. */
function sendAuthorizationResponse(
  response: Response,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  result: { code: string } | { error: 'access_denied' | 'invalid_scope' },
): void {
  const query = new URLSearchParams({ ...result, ...(state !== undefined && { state }) });
  // Keeps the query of the registered redirect URI (RFC 6749 section 3.1.2).
  redirect(response, 302, `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}

/** Returns the root-relative path of `GET /oauth/authorize` for the same request. */
function authorizePath(query: Readonly<Record<string, string>>): string {
  return `${PATHS.authorize}?${new URLSearchParams(query)}`;
}
