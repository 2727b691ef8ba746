import { isPrefetch, PATHS } from '@latchkey/contract/constants';
import type { Request, Response, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { redirect } from '../../platform/http/redirect.js';
import { t } from '../../platform/language/language.js';
import { throttledWarning } from '../../platform/logging/logger.js';
import { type Visit, type VisitForm, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { chooserPath, signInPath } from '../../web/kit/areas/continue-path.js';
import {
  findCurrentSession,
  findSignedInUser,
  requireSignedInUser,
} from '../../web/kit/areas/user-session.js';
import { sendMessage } from '../../web/kit/frame/message-page.js';
import { isFromStranger, sendOnwards } from '../../web/kit/frame/same-origin-guard.js';
import { formTargetOf, sendPage } from '../../web/kit/frame/send-page.js';
import { hostedCallbackOf } from '../clients/client.resource.js';
import { issueAuthorizationCode } from './authorization-codes.js';
import { type CheckedAuthorization, checkAuthorization, type WrongSetting } from './check-authorization.js';
import { consentPage } from './consent.pages.js';
import { changesSinceConsent, grantConsent, hashOfShown } from './consents.js';
import { invalidRequest, sendOAuthError } from './oauth-error.js';

/** Path of the consent page. Its query is the query of the authorization request. */
const CONSENT_PATH = '/oauth/consent';

type AuthorizationRequest = Extract<CheckedAuthorization, { kind: 'valid' }>['request'];
type Rejected = Extract<CheckedAuthorization, { kind: 'rejected' }>;

/** Routes of authorize and consent. They use the service's cookies, so they have no CORS headers. */
export function authorizationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'site'>): Router {
  const { baseUrl, clock, db, site } = needs;
  const warn = throttledWarning(needs);
  return visitRoutes(needs, {
    [PATHS.authorize]: { get: authorize },
    [CONSENT_PATH]: { get: showConsent, post: decide },
  });

  /**
   * `GET /oauth/authorize` (spec, section of that name): runs the checks of `AUTHORIZATION_STEPS`, then sign-in, then
   * consent, then redirects with a code. Skips sign-in and consent if they already happened. Requests from another
   * site's page, unless it's the client's, get the same response for every visitor.
   */
  async function authorize({ request, response, query: asked }: Visit) {
    const checked = await checkAuthorization(needs, asked);
    if (checked.kind === 'rejected') {
      logRejection(checked);
      return sendRejection(response, checked);
    }
    const { query, asksForAccount } = checked.request;
    if (request.method === 'HEAD' || isPrefetch(request.headers)) return sendNotOpened(request, response);
    if (asksForAccount) return redirect(response, 302, chooserPath(authorizePath(query)));
    if (isFromStranger(request, checked.request.ownOrigins)) {
      return redirect(response, 302, consentPath(query));
    }
    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(authorizePath(query)));
    const code = await issueCode(request, user.id, checked.request);
    if (code === undefined) return redirect(response, 302, consentPath(query));
    sendAuthorizationResponse(response, checked.request, { code });
  }

  async function showConsent({ request, response, query: asked }: Visit) {
    const checked = await checkAuthorization(needs, asked);
    if (checked.kind === 'rejected') return sendRejection(response, checked);
    const { client, redirectUri, receiver, scopes, query } = checked.request;
    if (isFromStranger(request, checked.request.ownOrigins)) {
      return sendOnwards(response, authorizePath(query));
    }
    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(authorizePath(query)));

    const html = consentPage({
      client,
      service: site.brand,
      isVerified: client.verifiedAt !== null,
      user: { email: user.email, name: user.name ?? undefined },
      scopes,
      receiver,
      closesWindow: redirectUri === hostedCallbackOf(baseUrl, client.clientId),
      query,
      account: user.id,
      shown: hashOfShown(checked.request),
      last: await changesSinceConsent(db, user.id, checked.request),
    });
    sendPage(response, html, { formTargets: [formTargetOf(redirectUri)] });
  }

  /** Checks the request from the form again: the browser can change it. */
  async function decide({ request, response, form }: VisitForm) {
    const checked = await checkAuthorization(needs, form);
    if (checked.kind === 'rejected') return sendRejection(response, checked);
    const { query } = checked.request;

    const user = await requireSignedInUser(needs, request);
    if (user === undefined) return signInPath(authorizePath(query));

    const decision = form.get('decision');
    if (decision === 'decline') {
      return sendAuthorizationResponse(response, checked.request, { error: 'access_denied' });
    }
    if (decision !== 'allow') {
      return sendMessage(response, 400, {
        title: t('Choose Allow or Decline'),
        text: t('The form was sent without your decision. Go back and choose one.'),
        action: { href: authorizePath(query), label: t('Go back to the request') },
      });
    }
    // The user switched accounts in another tab. The new account must decide for itself.
    if (form.get('account') !== user.id) return consentPath(query);
    // The client's owner may have changed it after the page was opened. Without the field, no page was shown.
    const shown = form.get('shown') ?? hashOfShown(checked.request);
    if (shown !== hashOfShown(checked.request)) return consentPath(query);
    await grantConsent(db, user.id, checked.request, clock.now());
    const code = await issueCode(request, user.id, checked.request);
    // The consent was revoked or the session ended at the same moment in another tab.
    if (code === undefined) return consentPath(query);
    sendAuthorizationResponse(response, checked.request, { code });
  }

  async function issueCode(request: Request, userId: string, checked: AuthorizationRequest) {
    // Another request can end the session meanwhile.
    const isSignedIn = async (transaction: typeof db) =>
      (await findCurrentSession({ ...needs, db: transaction }, request, userId)) !== undefined;
    return await issueAuthorizationCode(db, { userId, request: checked, isSignedIn }, clock.now());
  }

  /** The visitor only sees the error, so the line has the setting. Anyone can cause it, so the number is limited. */
  function logRejection({ rejection, parameters }: Rejected): void {
    if (rejection.kind !== 'bad-request' || rejection.setting === undefined) return;
    const { setting } = rejection;
    const fields = {
      clientId: shown(parameters.clientId),
      redirectUri: shown(withoutSecrets(parameters.redirectUri)),
      setting,
      advice: ADVICE[setting],
    };
    warn(fields, `Authorization rejected: ${rejection.description}`);
  }
}

function sendRejection(response: Response, { rejection, parameters }: Rejected): void {
  if (rejection.kind === 'bad-request') {
    sendOAuthError(response, invalidRequest(rejection.description));
    return;
  }
  const { redirectUri, state } = parameters;
  if (redirectUri === undefined) throw new Error('A rejection by redirect requires a redirect URI.');
  sendAuthorizationResponse(response, { redirectUri, state }, { error: rejection.error });
}

/** The browser drops a failed prefetch of a page that nobody has opened, and loads the page when it's opened. */
function sendNotOpened(request: Request, response: Response): void {
  response.status(request.method === 'HEAD' ? 204 : 503).end();
}

function sendAuthorizationResponse(
  response: Response,
  {
    redirectUri,
    state,
    callbackQuery,
  }: Pick<AuthorizationRequest, 'redirectUri' | 'state'> &
    Partial<Pick<AuthorizationRequest, 'callbackQuery'>>,
  result: { code: string } | { error: 'access_denied' | 'invalid_scope' },
): void {
  const query = new URLSearchParams({
    ...result,
    ...(state !== undefined && { state }),
    ...callbackQuery,
  });
  // Keeps the query of the registered redirect URI (RFC 6749 section 3.1.2).
  redirect(response, 302, `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}

function authorizePath(query: Readonly<Record<string, string>>): string {
  return `${PATHS.authorize}?${new URLSearchParams(query)}`;
}

function consentPath(query: Readonly<Record<string, string>>): string {
  return `${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

const SHOWN_LENGTH = 200;

/** Characters that could end a log line or change how a terminal shows it. */
const UNPRINTABLE = /[\p{C}\p{Z}]/gu;

const ADVICE: Readonly<Record<WrongSetting, string>> = {
  'client id': 'Register the client, or correct the client id in the site.',
  'redirect URIs': 'Add exactly this address to the redirect URIs of the client, or correct it in the site.',
};

/** Removes the user and the query. Both can contain secrets. */
function withoutSecrets(uri: string | undefined): string | undefined {
  if (uri === undefined || !URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  return `${protocol}//${host}${pathname}`;
}

function shown(text: string | undefined): string | undefined {
  return text?.slice(0, SHOWN_LENGTH).replace(UNPRINTABLE, '�');
}
