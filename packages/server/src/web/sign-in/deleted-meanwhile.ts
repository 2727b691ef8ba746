import type { ErrorRequestHandler } from 'express';
import type { Clock } from '../../platform/clock.js';
import { isForeignKeyViolation } from '../../platform/database/foreign-key-violation.js';
import type { Database } from '../../platform/database/open-database.js';
import { redirect } from '../../platform/http/redirect.js';
import { signInPath } from './continue-path.js';
import { findSignedInUser } from './user-session.js';

interface DeletedMeanwhileNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/**
 * Handles the errors of pages whose user was deleted after the request began. The database rejected what the request wrote, so nothing
 * has changed. The visitor is sent to the sign-in page, like a request that begins a moment later.
 */
export function deletedMeanwhile(needs: DeletedMeanwhileNeeds): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const canBeDeleted = isForeignKeyViolation(error) && !response.headersSent;
    if (!canBeDeleted || (await findSignedInUser(needs, request)) !== undefined) return next(error);
    redirect(response, 303, signInPath('/account'));
  };
}
