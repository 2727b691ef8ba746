import type { Response } from 'express';

/** Status of requests whose caller left before the response began, as nginx counts them. */
const NO_ANSWER = 499;

/** Returns the status of a closed response. Express begins with 200, so a response that never began would look successful. */
export function answeredStatus(response: Response): number {
  return response.headersSent ? response.statusCode : NO_ANSWER;
}
