import { Router } from 'express';
import { NAME_MAX_LENGTH, nameField } from '../../domain/fields/name.js';
import { renameUser } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { sendPage } from '../ui/send-page.js';
import { accountNotice } from './account-notices.js';
import { accountProfilePage } from './account-profile-page.js';

interface ProfileRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const PROFILE_PATH = '/account/profile';

/** Routes of the user's profile. */
export function profileRoutes(needs: ProfileRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PROFILE_PATH)
    .get(showProfile(needs))
    .post(saveProfile(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showProfile(needs: ProfileRoutesNeeds) {
  return areaPage(needs, ({ user, frame, request, response }) => {
    const html = accountProfilePage({ frame, name: user.name ?? '', notice: accountNotice(request) });
    sendPage(response, html);
  });
}

function saveProfile(needs: ProfileRoutesNeeds) {
  const { db } = needs;
  return areaForm(needs, PROFILE_PATH, async ({ user, frame, form, response }) => {
    const typed = form.get('name') ?? '';
    const name = typed.trim() === '' ? null : nameField.safeParse(typed).data;
    if (name === undefined) {
      const message = `Enter a name of at most ${NAME_MAX_LENGTH} characters on one line, or leave it empty.`;
      const html = accountProfilePage({ frame, name: typed, errors: [{ field: 'name', message }] });
      return sendPage(response, html, { status: 400 });
    }
    await renameUser(db, user.id, name);
    redirect(response, 303, `${PROFILE_PATH}?done=renamed`);
  });
}
