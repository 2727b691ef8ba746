import type { Response } from 'express';

/** Redirects the browser. The location can contain a code, so the response isn't cached. */
export function redirect(response: Response, status: 302 | 303, location: string): void {
  response.status(status).set('Cache-Control', 'no-store').set('Location', location).end();
}
