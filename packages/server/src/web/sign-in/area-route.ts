import type { Request, RequestHandler, Response } from 'express';
import type { User } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-body.js';
import type { AreaFrame } from '../ui/area-page.js';
import { messagePage } from '../ui/message-page.js';
import { sameOriginGuard } from '../ui/same-origin-guard.js';
import { sendPage } from '../ui/send-page.js';
import { signInPath } from './continue-path.js';
import { findSignedInUser } from './user-session.js';

interface AreaRouteNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** A request for a page of an area, by somebody who is signed in. */
export interface AreaRequest<Params extends Record<string, string>> {
  user: User;
  /** What the page needs for its frame. */
  frame: AreaFrame;
  request: Request<Params>;
  response: Response;
}

/** A form of an area's page, sent by the person who saw it. */
export interface AreaForm<Params extends Record<string, string>> extends AreaRequest<Params> {
  form: URLSearchParams;
}

/** A page for people who are signed in; others sign in first, and come back to it. */
export function areaPage<Params extends Record<string, string> = Record<string, string>>(
  needs: AreaRouteNeeds,
  show: (areaRequest: AreaRequest<Params>) => void | Promise<void>,
): RequestHandler<Params> {
  return async (request, response) => {
    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(request.originalUrl));
    await show({ user, frame: frameFor(user), request, response });
  };
}

/**
 * Takes a form of an area's page: one that was sent from the service's own pages, by the person who is named in its
 * field `account`. When that is not who is signed in now, nothing is done.
 *
 * @param home where who has to sign in first goes then.
 */
export function areaForm<Params extends Record<string, string> = Record<string, string>>(
  needs: AreaRouteNeeds,
  home: string | ((params: Params) => string),
  take: (areaForm: AreaForm<Params>) => void | Promise<void>,
): RequestHandler<Params>[] {
  const act: RequestHandler<Params> = async (request, response) => {
    const user = await findSignedInUser(needs, request);
    const homePath = typeof home === 'string' ? home : home(request.params);
    if (user === undefined) return redirect(response, 303, signInPath(homePath));
    const form = formOf(request);
    if (form.get('account') !== user.id) return sendOtherAccount(response, homePath);
    await take({ user, frame: frameFor(user), request, response, form });
  };
  return [sameOriginGuard(needs), readForm, act] as RequestHandler<Params>[];
}

function frameFor(user: User): AreaFrame {
  return {
    user: { email: user.email, name: user.name ?? undefined },
    account: user.id,
  };
}

/** Somebody else has signed in since, in another tab: it was not for them that the form was sent. */
function sendOtherAccount(response: Response, home: string): void {
  const html = messagePage({
    title: 'Somebody else is signed in here now',
    text: 'Since you opened the page, another person has signed in with this browser. Nothing was changed.',
    action: { href: home, label: 'Go on as who is signed in now' },
  });
  sendPage(response, html, { status: 409 });
}
