import type { Request, Response } from 'express';
import type { SignInCodeResult } from '../../domain/sign-in/sign-in-codes.js';
import type { SecondStepResult } from '../../domain/two-step/second-step.js';
import { requestFacts } from '../../platform/http/request-log.js';
import type { Logger } from '../../platform/logging/logger.js';

/** Texts of the log by the result of an entered code. */
const MESSAGES: Readonly<Record<SignInCodeResult['kind'] | 'second-step', string>> = {
  correct: 'User signed in',
  'second-step': 'Sign-in waits for the second step',
  wrong: 'Sign-in rejected: wrong code',
  invalid: 'Sign-in rejected: the code has expired or was used, or another browser requested it',
  exhausted: 'Sign-in rejected: too many wrong codes',
};

/** Texts of the log by the result of the second step. */
const SECOND_STEP_MESSAGES: Readonly<Record<SecondStepResult['kind'], string>> = {
  correct: 'User signed in with a second step',
  wrong: 'Second step rejected: wrong code',
  used: 'Second step rejected: the code was used before',
  invalid: 'Second step rejected: the sign-in has expired or was finished, or another browser started it',
  exhausted: 'Second step rejected: too many wrong codes for this user',
};

/** Logs the result of the second step. The user is logged, because the first step has proved who it is. */
export function logSecondStep(
  { logger }: { readonly logger: Logger },
  { request, response }: { request: Request; response: Response },
  result: SecondStepResult,
): void {
  const { userId } = { userId: undefined, ...result };
  const method = result.kind === 'correct' ? { method: result.method } : {};
  const fields = { ...requestFacts(request, response), ip: request.ip, ...(userId && { userId }), ...method };
  if (result.kind === 'correct') logger.info(fields, SECOND_STEP_MESSAGES[result.kind]);
  else logger.warn(fields, SECOND_STEP_MESSAGES[result.kind]);
}

/**
 * Logs the result of an entered code with the client's address, so that an operator can investigate an attack. The address
 * of the user and the code are not logged.
 *
 * @param userId the user who signed in.
 */
export function logSignIn(
  { logger }: { readonly logger: Logger },
  { request, response }: { request: Request; response: Response },
  { kind, userId }: { kind: SignInCodeResult['kind'] | 'second-step'; userId?: string },
): void {
  const fields = { ...requestFacts(request, response), ip: request.ip, ...(userId && { userId }) };
  if (kind === 'correct' || kind === 'second-step') logger.info(fields, MESSAGES[kind]);
  else logger.warn(fields, MESSAGES[kind]);
}
