import { comparableEmail } from '@latchkey/contract';
import {
  findClaim,
  findUserByEmail,
  formOf,
  methodNotAllowed,
  proveEmail,
  readContinuePath,
  readForm,
  redirect,
  sameOriginGuard,
  signInPath,
  startUserSession,
} from '@latchkey/server/extension';
import { messagePage, sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import type { Services } from '../services/services.js';
import { PICK_PERSON_PATH } from './pick-person-path.js';

/** Route that signs the browser in as any user, without a code. */
export function pickPersonRoutes(services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(PICK_PERSON_PATH)
    .post(sameOriginGuard(services), readForm, async (request, response) => {
      const form = formOf(request);
      const continueTo = readContinuePath(form.get('continue'));
      const { db, clock } = services;
      const email = comparableEmail(form.get('email') ?? '');
      const known = await findUserByEmail(db, email);
      const isClaimed = known === undefined && (await findClaim(db, email)) !== undefined;
      const user = isClaimed ? await proveEmail(db, email, clock.now()) : known;
      if (user === undefined) {
        const page = messagePage({
          title: 'No user has this address',
          text: 'Pick a person on the sign-in page, or sign in with a code to create a new user.',
          action: { href: signInPath(continueTo), label: 'Back to sign-in' },
        });
        return sendPage(response, page, { status: 400 });
      }
      await startUserSession(services, { request, response }, user.id);
      redirect(response, 303, continueTo);
    })
    .all(methodNotAllowed('POST'));
  return router;
}
