import { setTimeout } from 'node:timers/promises';
import { prefersHtml, sendError } from '../answer.js';
import { readCookie } from '../cookies.js';
import type { Kit } from '../kit.js';
import { sendPlainPage } from '../pages/plain-page.js';
import { failureDetails } from '../service-failure.js';
import type { Session } from '../session/session.js';
import { SessionStoreError } from '../session/session-store.js';
import { REVOCATION_WAIT_MS } from '../sign-in/revocation.js';
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
  const cookie = readCookie(request.headers.cookie, kit.sessionCookie.name);
  const id = opened?.id ?? (cookie === undefined ? undefined : kit.store.idOf(cookie));
  // First of all: a refresh that is under way must not bring the session back.
  const { hasEnded, last } = id === undefined ? { hasEnded: true } : await endEverywhere(kit, id);
  // Another process may have renewed it since this request has read it.
  const session = last ?? opened;
  if (session !== undefined) {
    await Promise.race([
      revokeNewest(kit, session),
      setTimeout(REVOCATION_WAIT_MS, undefined, { ref: false }),
    ]);
  }
  visit.forget();
  if (!hasEnded) return reportUnfinished({ kit, visit, request, response });
  if (prefersHtml(request)) response.redirect(303, `${appOrigin}${appPath}/`);
  else response.status(204).end();
}

interface EndedSession {
  /** False when the store could not be told; the kit then goes on trying. */
  hasEnded: boolean;
  /** As the store had it at its end. */
  last?: Session | undefined;
}

async function endEverywhere(kit: Kit, id: string): Promise<EndedSession> {
  try {
    return { hasEnded: true, last: await kit.store.end(id) };
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error;
    kit.storeFailures.error('A session that was signed out could not be deleted.', failureDetails(error));
    return { hasEnded: false };
  }
}

/** This browser has forgotten the session, and that is all that can be promised. */
function reportUnfinished({ kit, request, response }: RouteContext): void {
  const message =
    'This browser is signed out. Whether the session has ended everywhere cannot be told at the moment.';
  if (prefersHtml(request)) {
    sendPlainPage(response.status(503), {
      title: 'Signed out here',
      paragraphs: [message],
      link: { href: `${kit.settings.appPath}/`, label: 'To the start page' },
    });
  } else sendError(response, 503, { error: 'service_unavailable', message });
}

/** Revokes what the session's tokens have become, after a refresh that is under way. Never rejects. */
async function revokeNewest(kit: Kit, session: Session): Promise<void> {
  const { tokens } = await kit.refresher.newest(session);
  await kit.revocations.revoke(tokens);
}
