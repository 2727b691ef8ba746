import { Router } from 'express';
import { ACCENT_STYLESHEET_PATH, accentStylesheet } from '../styles/accent-stylesheet.js';

/** Serves the stylesheet of each accent. It depends on its address only, so browsers cache it forever. */
export function accentRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(ACCENT_STYLESHEET_PATH, (request, response) => {
    const [, digits] = ACCENT_STYLESHEET_PATH.exec(request.path) ?? [];
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      // The page for a foreign host loads it from here.
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .type('css')
      .send(accentStylesheet(`#${digits}`));
  });
  return router;
}
