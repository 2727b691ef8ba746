import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH } from '@latchkey/contract/constants';
import { isOAuthClientError } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { isSameOrigin } from '../http/app-url.js';
import { type ErrorBody, sendError } from '../http/json-error.js';
import { readBody } from '../http/request-body.js';
import { LatchkeyError } from '../platform/errors.js';
import { failureDetails, isOutage } from '../platform/service-failure.js';
import type { Session } from '../session/session.js';
import type { Endpoint } from '../session/visitor.js';
import { beginSession, type ReceivedCode } from './begin-session.js';
import { forgetSignOut, sendSession } from './session-endpoint.js';
import type { SignInKit } from './sign-in-attempts.js';

const exchangeBody = z.object({
  code: z.string().min(1).max(2048),
  codeVerifier: z.string().min(PKCE_MIN_LENGTH).max(PKCE_MAX_LENGTH),
  redirectUri: z.string(),
});

interface ExchangeError {
  status: number;
  body: ErrorBody;
}

/** `POST /auth/exchange`: redeems the code that the widget received in its popup, and signs the visitor in. */
export function exchangeEndpoint(kit: SignInKit): Endpoint {
  return async (visit) => {
    const { visitor, request, response } = visit;
    const checked = await checkRequest(kit, request, response);
    if ('status' in checked) return sendError(response, checked.status, checked.body);
    const begun = await redeemCode(kit, checked);
    if ('status' in begun) return sendError(response, begun.status, begun.body);
    try {
      await visitor.session.start(begun);
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error;
      return sendError(response, error.status, {
        error: 'service_unavailable',
        message: 'The session cannot be stored right now.',
      });
    }
    forgetSignOut(kit, visit);
    await sendSession(kit, visit);
  };
}

/**
 * Only accepts requests from the app's pages: a code from another site would sign the visitor in to the attacker's
 * account (login CSRF, RFC 6749 section 10.12).
 */
async function checkRequest(
  { app: { appOrigin }, scopes, widgetCallbackUrls, logger }: SignInKit,
  request: Request,
  response: Response,
): Promise<ReceivedCode | ExchangeError> {
  if (!isSameOrigin(request, appOrigin)) {
    logger.warn('origin_rejected', 'A code from another origin than appUrl was rejected.', {
      appOrigin,
      origin: request.headers.origin,
      secFetchSite: request.headers['sec-fetch-site'],
    });
    return rejected(403, {
      error: 'cross_site_request',
      message: `Only pages of ${appOrigin} may sign in here. Check that appUrl is the address that visitors see.`,
    });
  }
  if (!request.is('application/json')) return invalid('Send the code as application/json.');
  const read = await readBody(request, response, exchangeBody);
  if (read.kind === 'invalid') return invalid(read.message);
  if (!widgetCallbackUrls.has(read.body.redirectUri)) {
    logger.warn(
      'redirect_uri_rejected',
      'A code for another redirect URI was rejected. The widget and latchkey() must use the same client and service, and a callback-url of the widget must be listed in widgetCallbackUrl.',
      { expected: [...widgetCallbackUrls], got: read.body.redirectUri.slice(0, 200) },
    );
    return invalid(
      "redirectUri is neither the hosted callback of this app's client, nor the app's /latchkey/callback.html, nor listed in widgetCallbackUrl.",
    );
  }
  return { ...read.body, scopes };
}

async function redeemCode(kit: SignInKit, code: ReceivedCode): Promise<Session | ExchangeError> {
  try {
    return await beginSession(kit, code);
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    kit.logger.error(
      'code_not_exchanged',
      'The code of a popup could not be exchanged.',
      failureDetails(error),
    );
    if (error.code === 'invalid_grant') {
      return rejected(400, {
        error: 'invalid_grant',
        message: 'The code has expired, was used before or belongs to another sign-in. Sign in again.',
      });
    }
    return isOutage(error)
      ? rejected(503, { error: 'service_unavailable', message: 'The service cannot be reached right now.' })
      : rejected(502, {
          error: 'service_refused',
          message: 'The service rejected the exchange. See the log.',
        });
  }
}

const rejected = (status: number, body: ErrorBody): ExchangeError => ({ status, body });

const invalid = (message: string) => rejected(400, { error: 'invalid_request', message });
