import type { Response } from 'express';

/** Redirects the browser. The response isn't cached, since the location can contain a code. */
export function redirect(response: Response, status: 302 | 303, location: string): void {
  response.status(status).set('Cache-Control', 'no-store').set('Location', location).end();
}
