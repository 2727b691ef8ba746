import { Router } from 'express';
import { countConsents } from '../../domain/oauth/consents.js';
import { endListedSession } from '../../domain/sessions/sessions.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { endUserSessions, listUserSessions } from '../sign-in/user-session.js';
import { sendPage } from '../ui/frame/send-page.js';
import { accountNotice } from './account-notices.js';
import { accountSessionsPage } from './account-sessions-page.js';

interface SessionRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const SESSIONS_PATH = '/account/sessions';

/** Maximum number of listed sessions. */
const SHOWN_SESSIONS = 50;

/** Routes that list and end the user's sessions. */
export function sessionRoutes(needs: SessionRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SESSIONS_PATH).get(showSessions(needs)).all(methodNotAllowed('GET'));
  router.route('/account/sessions/sign-out').post(endOneSession(needs)).all(methodNotAllowed('POST'));
  router.route('/account/sessions/end').post(endSessions(needs)).all(methodNotAllowed('POST'));
  return router;
}

function showSessions(needs: SessionRoutesNeeds) {
  const { db } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const sessions = await listUserSessions(needs, request, {
      userId: user.id,
      limit: SHOWN_SESSIONS + 1,
    });
    const html = accountSessionsPage({
      frame,
      sessions: sessions.slice(0, SHOWN_SESSIONS),
      hasMore: sessions.length > SHOWN_SESSIONS,
      apps: await countConsents(db, user.id),
      notice: accountNotice(request),
    });
    sendPage(response, html);
  });
}

/** A session that has ended already, or is one of another user, changes nothing. */
function endOneSession(needs: SessionRoutesNeeds) {
  return areaForm(needs, SESSIONS_PATH, async ({ user, form, response }) => {
    const id = form.get('session') ?? '';
    const ended = await endListedSession(needs.db, { userId: user.id, id });
    redirect(response, 303, ended ? `${SESSIONS_PATH}?done=session` : SESSIONS_PATH);
  });
}

function endSessions(needs: SessionRoutesNeeds) {
  return areaForm(needs, SESSIONS_PATH, async ({ user, form, request, response }) => {
    const which = form.get('which');
    if (which !== 'others' && which !== 'all') return redirect(response, 303, SESSIONS_PATH);
    const apps = form.has('apps');
    await endUserSessions(needs, { request, response }, { userId: user.id, which, apps });
    if (which === 'all') return redirect(response, 303, '/signed-out');
    redirect(response, 303, `${SESSIONS_PATH}?done=${apps ? 'others-and-apps' : 'others'}`);
  });
}
