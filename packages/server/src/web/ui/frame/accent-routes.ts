import { Router } from 'express';
import { accentPreview } from '../styles/accent-preview.js';
import { ACCENT_FILE_PATH, accentStylesheet } from '../styles/accent-stylesheet.js';

/** Serves the stylesheet and the preview of each accent. They depend on their address only, so browsers cache them forever. */
export function accentRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(ACCENT_FILE_PATH, (request, response) => {
    const [, digits, type = 'css'] = ACCENT_FILE_PATH.exec(request.path) ?? [];
    const accent = `#${digits}`;
    response
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      // The page for a foreign host loads it from here.
      .set('Cross-Origin-Resource-Policy', 'cross-origin')
      .type(type)
      .send(type === 'svg' ? accentPreview(accent) : accentStylesheet(accent));
  });
  return router;
}
