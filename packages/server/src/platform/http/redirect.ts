import type { Response } from 'express';

/** Sends the browser elsewhere; the answer, which may carry a code, is never stored. */
export function redirect(response: Response, status: 302 | 303, location: string): void {
  response.status(status).set('Cache-Control', 'no-store').set('Location', location).end();
}
