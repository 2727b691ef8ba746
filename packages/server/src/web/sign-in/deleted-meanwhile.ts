import type { ErrorRequestHandler } from 'express';
import type { Needs } from '../../app/services.js';
import { isForeignKeyViolation } from '../../platform/database/foreign-key-violation.js';
import { redirect } from '../../platform/http/redirect.js';
import { signInPath } from './continue-path.js';
import { findSignedInUser } from './user-session.js';

/**
 * Handles the errors of pages whose user was deleted after the request began. The database rejected what the request wrote, so nothing
 * has changed. The visitor is sent to the sign-in page, like a request that begins a moment later.
 */
export function deletedMeanwhile(needs: Needs<'baseUrl' | 'clock' | 'db'>): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const canBeDeleted = isForeignKeyViolation(error) && !response.headersSent;
    if (!canBeDeleted || (await findSignedInUser(needs, request)) !== undefined) return next(error);
    redirect(response, 303, signInPath('/account'));
  };
}
