import { apiKeyChecks } from './api-key-checks.js';
import { envelopeChecks } from './envelope-checks.js';
import type { CallerCheck } from './judgement.js';
import { purchaseChecks } from './purchase-checks.js';
import { retryChecks } from './retry-checks.js';
import { signInChecks } from './sign-in-checks.js';
import { tokenChecks } from './token-checks.js';
import { webhookChecks } from './webhook-checks.js';

/** One check for each rule that a caller must keep, and for a few rules of the service that callers easily break. */
export const CALLER_CHECKS: readonly CallerCheck[] = [
  ...apiKeyChecks,
  ...envelopeChecks,
  ...retryChecks,
  ...purchaseChecks,
  ...signInChecks,
  ...tokenChecks,
  ...webhookChecks,
];
