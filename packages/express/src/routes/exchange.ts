import { PKCE_MAX_LENGTH, PKCE_MIN_LENGTH } from '@latchkey/contract/constants';
import { isOAuthClientError } from '@latchkey/oauth';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { sendError } from '../answer.js';
import { LatchkeyError } from '../latchkey-error.js';
import { failureDetails, isOutage } from '../service-failure.js';
import type { Session } from '../session/session.js';
import { beginSession } from '../sign-in/begin-session.js';
import type { RouteContext } from './kit-route.js';
import { isSameOrigin } from './same-origin.js';
import { sendSession } from './session.js';

const BODY_LIMIT = '10kb';
const parseJson = express.json({ limit: BODY_LIMIT });

const exchangeBody = z.object({
  code: z.string().min(1).max(2048),
  codeVerifier: z.string().min(PKCE_MIN_LENGTH).max(PKCE_MAX_LENGTH),
  redirectUri: z.string(),
});

/**
 * `POST /auth/exchange`: the widget on a page of the app hands over the code of its popup. Only the app's own pages
 * may: a code from elsewhere would sign the visitor in as somebody else (login CSRF, RFC 6749 section 10.12).
 */
export async function exchange(context: RouteContext): Promise<void> {
  const { kit, visit, request, response } = context;
  const { appOrigin, logger } = kit.settings;
  if (!isSameOrigin(request, appOrigin)) {
    logger.warn('A code from another origin than appUrl was refused.', {
      appOrigin,
      origin: request.headers.origin,
      secFetchSite: request.headers['sec-fetch-site'],
    });
    return sendError(response, 403, {
      error: 'cross_site_request',
      message: `Only pages of ${appOrigin} may sign in here. Is appUrl the address that visitors see?`,
    });
  }
  if (!request.is('application/json')) return refuse(response, 'Send the code as application/json.');
  let body: unknown;
  try {
    body = await readBody(request, response);
  } catch {
    return refuse(response, `The body must be JSON of at most ${BODY_LIMIT}.`);
  }
  const parsed = exchangeBody.safeParse(body);
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.') || 'body'))];
    return refuse(response, `Missing or malformed: ${fields.join(', ')}.`);
  }
  if (!kit.widgetCallbackUrls.has(parsed.data.redirectUri)) {
    logger.warn(
      'A code for another redirect URI was refused: do the widget and latchkey() name the same client and service? A callback-url of the widget must be named in widgetCallbackUrl.',
      { expected: [...kit.widgetCallbackUrls], got: parsed.data.redirectUri.slice(0, 200) },
    );
    return refuse(
      response,
      "redirectUri is neither the hosted callback of this app's client nor one of widgetCallbackUrl.",
    );
  }
  let session: Session;
  try {
    session = await beginSession(kit, parsed.data);
  } catch (error) {
    if (!isOAuthClientError(error)) throw error;
    logger.error('The code of a popup could not be exchanged.', failureDetails(error));
    if (error.code === 'invalid_grant') {
      return sendError(response, 400, {
        error: 'invalid_grant',
        message: 'The code has expired or was used already. Sign in again.',
      });
    }
    return isOutage(error)
      ? sendError(response, 503, {
          error: 'service_unavailable',
          message: 'The service cannot be reached right now.',
        })
      : sendError(response, 502, {
          error: 'service_refused',
          message: 'The service refused the exchange; see the log.',
        });
  }
  try {
    await visit.start(session);
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return sendError(response, error.status, {
      error: 'service_unavailable',
      message: 'The session cannot be stored right now.',
    });
  }
  await sendSession(context);
}

function refuse(response: Response, message: string): void {
  sendError(response, 400, { error: 'invalid_request', message });
}

/** The parsed body; a parser of the app that ran before is left to have done it. */
function readBody(request: Request, response: Response): Promise<unknown> {
  return new Promise((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve(request.body)));
  });
}
