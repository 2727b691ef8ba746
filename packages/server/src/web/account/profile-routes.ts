import { Router } from 'express';
import { userSchema } from '../../domain/users/user.js';
import { renameUser } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { sendPage } from '../ui/frame/send-page.js';
import { parseForm } from '../ui/parts/form.js';
import { accountNotice } from './account-notices.js';
import { accountProfilePage } from './account-profile-page.js';

interface ProfileRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const PROFILE_PATH = '/account/profile';

const PROFILE_FORM = userSchema.pick({ name: true });

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
    const result = parseForm(PROFILE_FORM, { name: typed.trim() === '' ? null : typed });
    if (result.kind === 'invalid') {
      const html = accountProfilePage({ frame, name: typed, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    await renameUser(db, user.id, result.value.name);
    redirect(response, 303, `${PROFILE_PATH}?done=renamed`);
  });
}
