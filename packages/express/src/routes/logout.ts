import { setTimeout } from 'node:timers/promises';
import { prefersHtml, sendError } from '../answer.js';
import type { Kit } from '../kit.js';
import type { Session } from '../session/session.js';
import { REVOCATION_WAIT_MS, revokeQuietly } from '../sign-in/begin-session.js';
import type { RouteContext } from './kit-route.js';
import { isSameOrigin } from './same-origin.js';

/**
 * `POST /auth/logout`: ends the session, here and (confidential clients) at the service. Scripts get 204, a form
 * goes to the app's root.
 */
export async function logout({ kit, visit, request, response }: RouteContext): Promise<void> {
  const { appOrigin, appPath } = kit.settings;
  if (!isSameOrigin(request, appOrigin)) {
    return sendError(response, 403, {
      error: 'cross_site_request',
      message: `Only pages of ${appOrigin} may sign out here.`,
    });
  }
  const { opened } = visit;
  if (opened !== undefined) {
    // First of all: a refresh that is under way must not bring the session back.
    await kit.store.end(opened);
    await Promise.race([
      revokeNewest(kit, opened),
      setTimeout(REVOCATION_WAIT_MS, undefined, { ref: false }),
    ]);
  }
  visit.forget();
  if (prefersHtml(request)) response.redirect(303, `${appOrigin}${appPath}/`);
  else response.status(204).end();
}

/** Revokes what the session's tokens have become, after a refresh that is under way. Never rejects. */
async function revokeNewest(kit: Kit, session: Session): Promise<void> {
  const { tokens } = await kit.refresher.newest(session);
  await revokeQuietly(kit, tokens);
}
