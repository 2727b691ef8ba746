import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { writeLanguage } from '../../platform/http/visitor-language.js';
import { isLanguage } from '../../platform/language/language.js';
import { type VisitForm, visitRoutes } from '../../web/kit/areas/area-routes.js';
import { readContinuePath } from '../../web/kit/areas/continue-path.js';
import { findSignedInUser } from '../../web/kit/areas/user-session.js';
import { LANGUAGE_PATH } from '../../web/kit/parts/language-menu.js';
import { rememberLanguage } from '../users/users.js';

/**
 * `POST /language` remembers the `language` that a visitor chose, also for emails to a signed-in user, and returns to
 * the page that sent the form.
 */
export function languageRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  return visitRoutes(needs, { [LANGUAGE_PATH]: { post: choose } });

  async function choose({ request, response, form }: VisitForm) {
    const language = form.get('language') ?? '';
    if (isLanguage(language)) {
      writeLanguage(needs, response, language);
      const user = await findSignedInUser(needs, request);
      if (user !== undefined) await rememberLanguage(needs.db, { userId: user.id, language });
    }
    return pathOf(request.get('Referer'), needs);
  }
}

/** Returns the path of a page of this service. Pages send their address within the service only. */
function pathOf(referrer: string | undefined, { baseUrl }: Needs<'baseUrl'>): string {
  const url = referrer !== undefined && URL.canParse(referrer) ? new URL(referrer) : undefined;
  return readContinuePath(url?.origin === new URL(baseUrl).origin ? url.pathname + url.search : null);
}
