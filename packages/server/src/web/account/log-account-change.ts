import type { Request, Response } from 'express';
import { requestFacts } from '../../platform/http/request-log.js';
import type { Logger } from '../../platform/logging/logger.js';

/**
 * Logs a change of a user's account with the user and the client's address, so that an operator can investigate it. A change that
 * was rejected is a warning.
 *
 * @param facts.reason reason of the rejection.
 */
export function logAccountChange(
  { logger }: { readonly logger: Logger },
  { user, request, response }: { user: { id: string }; request: Request; response: Response },
  message: string,
  facts: { reason?: string } = {},
): void {
  const fields = { ...requestFacts(request, response), ip: request.ip, userId: user.id, ...facts };
  if (facts.reason === undefined) logger.info(fields, message);
  else logger.warn(fields, message);
}
