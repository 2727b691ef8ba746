import { prefersHtml, sendError } from '../answer.js';
import { revokeQuietly } from '../sign-in/begin-session.js';
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
    const { tokens } = await kit.refresher.newest(opened);
    await revokeQuietly(kit, tokens);
  }
  visit.forget();
  if (prefersHtml(request)) response.redirect(303, `${appOrigin}${appPath}/`);
  else response.status(204).end();
}
