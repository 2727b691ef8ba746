import type { Check } from '../report/check.js';
import { ACCOUNT_CHECKS } from './account-checks.js';
import { API_KEY_CHECKS } from './api-key-checks.js';
import { BASE_CHECKS } from './base-checks.js';
import { CORS_CHECKS } from './cors-checks.js';
import type { ServiceTarget } from './service-target.js';
import { SIGN_IN_CHECKS } from './sign-in-checks.js';
import { WEBHOOK_CHECKS } from './webhook-checks.js';

/** All checks of `latchkey doctor --service`, in the order of the report. docs/live-service.md names them by id. */
export const SERVICE_CHECKS: readonly Check<ServiceTarget>[] = [
  ...BASE_CHECKS,
  ...SIGN_IN_CHECKS,
  ...CORS_CHECKS,
  ...API_KEY_CHECKS,
  ...ACCOUNT_CHECKS,
  ...WEBHOOK_CHECKS,
];
