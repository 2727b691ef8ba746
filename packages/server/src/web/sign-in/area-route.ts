import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Needs } from '../../app/services.js';
import type { User } from '../../domain/users/users.js';
import { isForeignKeyViolation } from '../../platform/database/transaction.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import type { AreaFrame } from '../ui/frame/area-page.js';
import { messagePage } from '../ui/frame/message-page.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import { sendPage } from '../ui/frame/send-page.js';
import { signInPath } from './continue-path.js';
import { findSignedInUser } from './user-session.js';

/** Request of a signed-in user for a page of an area. */
export interface AreaRequest<Params extends Record<string, string>> {
  user: User;
  frame: AreaFrame;
  request: Request<Params>;
  response: Response;
}

/** Form sent by the signed-in user that it was rendered for. */
export interface AreaForm<Params extends Record<string, string>> extends AreaRequest<Params> {
  form: URLSearchParams;
}

/** Creates the handler of a page that requires sign-in. Visitors sign in first and then return to the page. */
export function areaPage<Params extends Record<string, string> = Record<string, string>>(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (areaRequest: AreaRequest<Params>) => void | Promise<void>,
): RequestHandler<Params> {
  return async (request, response) => {
    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(request.originalUrl));
    await show({ user, frame: frameFor(user), request, response });
  };
}

/**
 * Creates the handlers of a form on a page that requires sign-in. The form must come from the service's own pages. Its
 * field `account` must be the id of the signed-in user, else the response is 409 and `handle` does not run.
 *
 * @param home Path that visitors return to after sign-in.
 */
export function areaForm<Params extends Record<string, string> = Record<string, string>>(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  home: string | ((params: Params) => string),
  handle: (areaForm: AreaForm<Params>) => void | Promise<void>,
): RequestHandler<Params>[] {
  const act: RequestHandler<Params> = async (request, response) => {
    const user = await findSignedInUser(needs, request);
    const homePath = typeof home === 'string' ? home : home(request.params);
    if (user === undefined) return redirect(response, 303, signInPath(homePath));
    const form = formOf(request);
    if (form.get('account') !== user.id) return sendOtherAccount(response, homePath);
    await handle({ user, frame: frameFor(user), request, response, form });
  };
  return [sameOriginGuard(needs), readForm, act] as RequestHandler<Params>[];
}

function frameFor(user: User): AreaFrame {
  return {
    user: { email: user.email, name: user.name ?? undefined },
    account: user.id,
  };
}

/** The user has switched accounts in another tab since the form was rendered. */
function sendOtherAccount(response: Response, home: string): void {
  const html = messagePage({
    title: 'You are signed in with another account',
    text: 'The account in this browser changed after you opened the page. Nothing was changed.',
    action: { href: home, label: 'Continue with the current account' },
  });
  sendPage(response, html, { status: 409 });
}

/**
 * Handles the errors of pages whose user was deleted after the request began. The database rejected what the request wrote, so nothing
 * has changed. The visitor is sent to the sign-in page, like a request that begins a moment later.
 */
export function deletedMeanwhile(needs: Needs<'baseUrl' | 'clock' | 'db'>): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const canBeDeleted = isForeignKeyViolation(error) && !response.headersSent;
    if (!canBeDeleted || (await findSignedInUser(needs, request)) !== undefined) return next(error);
    redirect(response, 303, signInPath('/account'));
  };
}
