import type { Request, Response } from 'express';
import type { SignInCodeResult } from '../../domain/sessions/sign-in-codes.js';
import { requestFacts } from '../../platform/http/request-log.js';
import type { Logger } from '../../platform/logging/logger.js';

/** Texts of the log by the result of an entered code. */
const MESSAGES: Readonly<Record<SignInCodeResult['kind'], string>> = {
  correct: 'User signed in',
  wrong: 'Sign-in rejected: wrong code',
  invalid: 'Sign-in rejected: the code has expired or was used, or another browser requested it',
  exhausted: 'Sign-in rejected: too many wrong codes',
};

/**
 * Logs the result of an entered code with the client's address, so that an operator can investigate an attack. The address
 * of the user and the code are not logged.
 *
 * @param userId the user who signed in.
 */
export function logSignIn(
  { logger }: { readonly logger: Logger },
  { request, response }: { request: Request; response: Response },
  { kind, userId }: { kind: SignInCodeResult['kind']; userId?: string },
): void {
  const fields = { ...requestFacts(request, response), ip: request.ip, ...(userId && { userId }) };
  if (kind === 'correct') logger.info(fields, MESSAGES[kind]);
  else logger.warn(fields, MESSAGES[kind]);
}
