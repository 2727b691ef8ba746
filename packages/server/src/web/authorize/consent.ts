import type { RequestHandler } from 'express';
import { issueAuthorizationCode } from '../../domain/oauth/authorization-codes.js';
import { checkAuthorization } from '../../domain/oauth/check-authorization.js';
import { grantConsent } from '../../domain/oauth/consents.js';
import { hostedCallbackOf } from '../../domain/oauth/hosted-callback.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser, isStillSignedIn } from '../sign-in/user-session.js';
import { messagePage } from '../ui/frame/message-page.js';
import { formTargetOf, sendPage } from '../ui/frame/send-page.js';
import type { Site } from '../ui/frame/site.js';
import {
  authorizePath,
  sendAuthorizationRejection,
  sendAuthorizationResponse,
} from './authorization-response.js';
import { consentPage } from './consent-page.js';

interface ConsentNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
  readonly site: Site;
}

/** Path of the consent page. Its query is the query of the authorization request. */
export const CONSENT_PATH = '/oauth/consent';

/** Returns the root-relative path of the consent page for an authorization request. */
export function consentPath(query: Readonly<Record<string, string>>): string {
  return `${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

/** `GET /oauth/consent`: shows the consent page after the same checks as authorize. */
export function showConsent(needs: ConsentNeeds): RequestHandler {
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
export function decideConsent(needs: ConsentNeeds): RequestHandler {
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
