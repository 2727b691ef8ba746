import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { formOf, readForm } from '../../platform/http/request-input.js';
import { writeLanguage } from '../../platform/http/visitor-language.js';
import { isLanguage } from '../../platform/language/language.js';
import { readContinuePath } from '../../web/kit/areas/continue-path.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { sameOriginGuard } from '../../web/kit/frame/same-origin-guard.js';
import { LANGUAGE_PATH } from '../../web/kit/parts/language-menu.js';
import { rememberLanguage } from '../users/users.js';

/**
 * `POST /language` remembers the `language` that a visitor chose, also for the mails of a signed-in user, and returns to the page that sent
 * the form.
 */
export function languageRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(LANGUAGE_PATH)
    .post(sameOriginGuard(needs), readForm, async (request, response) => {
      const language = formOf(request).get('language') ?? '';
      if (isLanguage(language)) {
        writeLanguage(needs, response, language);
        const user = await findSignedInUser(needs, request);
        if (user !== undefined) await rememberLanguage(needs.db, { userId: user.id, language });
      }
      redirect(response, 303, pathOf(request.get('Referer'), needs));
    })
    .all(methodNotAllowed('POST'));
  return router;
}

/** Returns the path of a page of this service. Pages send their address within the service only. */
function pathOf(referrer: string | undefined, { baseUrl }: Needs<'baseUrl'>): string {
  const url = referrer !== undefined && URL.canParse(referrer) ? new URL(referrer) : undefined;
  return readContinuePath(url?.origin === new URL(baseUrl).origin ? url.pathname + url.search : null);
}
