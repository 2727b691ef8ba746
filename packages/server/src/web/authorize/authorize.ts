import type { RequestHandler } from 'express';
import { issueAuthorizationCode } from '../../domain/oauth/authorization-codes.js';
import { checkAuthorization } from '../../domain/oauth/check-authorization.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { redirect } from '../../platform/http/redirect.js';
import { requestQuery } from '../../platform/http/request-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser, isStillSignedIn } from '../sign-in/user-session.js';
import {
  authorizePath,
  sendAuthorizationRejection,
  sendAuthorizationResponse,
} from './authorization-response.js';
import { consentPath } from './consent.js';
import { rejectionLog } from './rejection-log.js';

interface AuthorizeNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
}

/**
 * `GET /oauth/authorize` (spec, section of that name): runs the checks of `AUTHORIZATION_STEPS`, then sign-in, then
 * consent, then redirects with a code. Sign-in and consent are skipped if they happened before.
 */
export function authorize(needs: AuthorizeNeeds): RequestHandler {
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
