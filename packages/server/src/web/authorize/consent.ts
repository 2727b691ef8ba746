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
import { findSignedInUser } from '../sign-in/user-session.js';
import { messagePage } from '../ui/message-page.js';
import { formTargetOf, sendPage } from '../ui/send-page.js';
import {
  authorizePath,
  sendAuthorizationRefusal,
  sendAuthorizationResponse,
} from './authorization-response.js';
import { consentPage } from './consent-page.js';

interface ConsentNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** Where a person is asked for consent; the query is that of the authorization request. */
export const CONSENT_PATH = '/oauth/consent';

/** The root-relative address at which an authorization request is put to the person. */
export function consentPath(query: Readonly<Record<string, string>>): string {
  return `${CONSENT_PATH}?${new URLSearchParams(query)}`;
}

/** `GET /oauth/consent`: asks, after the same checks as authorize. */
export function showConsent(needs: ConsentNeeds): RequestHandler {
  const { db, baseUrl } = needs;
  return async (request, response) => {
    const checked = await checkAuthorization(db, requestQuery(request));
    if (checked.kind === 'refused') return sendAuthorizationRefusal(response, checked);
    const { client, redirectUri, scopes, query } = checked.request;

    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(authorizePath(query)));

    const html = consentPage({
      client,
      user: { email: user.email, name: user.name ?? undefined },
      scopes,
      // The hosted callback closes the window again: to name its host would only puzzle.
      redirectHost:
        redirectUri === hostedCallbackOf(baseUrl, client.clientId) ? undefined : new URL(redirectUri).host,
      query,
      account: user.id,
    });
    sendPage(response, html, { formTargets: [formTargetOf(redirectUri)] });
  };
}

/** `POST /oauth/consent`: the request comes back from the form, and is as little trusted as the first time. */
export function decideConsent(needs: ConsentNeeds): RequestHandler {
  const { db, clock } = needs;
  return async (request, response) => {
    const form = formOf(request);
    const checked = await checkAuthorization(db, form);
    if (checked.kind === 'refused') return sendAuthorizationRefusal(response, checked);
    const { client, redirectUri, scopes, codeChallenge, query } = checked.request;

    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 303, signInPath(authorizePath(query)));

    const decision = form.get('decision');
    if (decision === 'decline') {
      return sendAuthorizationResponse(response, checked.request, { error: 'access_denied' });
    }
    if (decision !== 'allow') {
      const html = messagePage({
        title: 'Nothing was decided',
        text: 'The form came without an answer. Go back and choose Allow or Decline.',
        action: { href: authorizePath(query), label: 'Ask me again' },
      });
      return sendPage(response, html, { status: 400 });
    }
    // Somebody else has signed in since, in another tab: what they were not asked they have not allowed.
    if (form.get('account') !== user.id) return redirect(response, 303, consentPath(query));
    const key = { userId: user.id, clientId: client.clientId };
    await grantConsent(db, { ...key, scopes }, clock.now());
    const code = await issueAuthorizationCode(
      db,
      { ...key, redirectUri, scopes, codeChallenge },
      clock.now(),
    );
    // Taken back in the same moment, in another tab.
    if (code === undefined) return redirect(response, 303, consentPath(query));
    sendAuthorizationResponse(response, checked.request, { code });
  };
}
