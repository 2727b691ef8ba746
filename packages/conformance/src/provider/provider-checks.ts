import { apiKeyReadChecks, apiKeyWriteChecks } from './checks/api-key-checks.js';
import { authorizeReadChecks, authorizeWriteChecks } from './checks/authorize-checks.js';
import { buyPlanChecks, inviteLinkChecks, inviteLinkReadChecks } from './checks/checkout-checks.js';
import { clientAuthenticationChecks } from './checks/client-authentication-checks.js';
import { clientIdentityChecks } from './checks/client-identity-checks.js';
import { clockChecks } from './checks/clock-checks.js';
import { dropChecks } from './checks/drop-checks.js';
import { generalReadChecks, generalWriteChecks } from './checks/general-checks.js';
import { provisionChecks } from './checks/provision-checks.js';
import { registrationChecks, registrationReadChecks } from './checks/registration-checks.js';
import { resourceReadChecks, resourceWriteChecks } from './checks/resource-checks.js';
import { revokeChecks } from './checks/revoke-checks.js';
import { tokenChecks } from './checks/token-checks.js';
import { webhookChecks } from './checks/webhook-checks.js';
import type { ProviderCheck } from './session/provider-check.js';

/** All checks of a service, in their order: those that only read first, those that move the clock last. */
export const PROVIDER_CHECKS: readonly ProviderCheck[] = [
  ...generalReadChecks,
  ...apiKeyReadChecks,
  ...inviteLinkReadChecks,
  ...authorizeReadChecks,
  ...registrationReadChecks,
  ...resourceReadChecks,
  ...clientIdentityChecks,
  ...generalWriteChecks,
  ...apiKeyWriteChecks,
  ...provisionChecks,
  ...buyPlanChecks,
  ...inviteLinkChecks,
  ...dropChecks,
  ...authorizeWriteChecks,
  ...registrationChecks,
  ...tokenChecks,
  ...clientAuthenticationChecks,
  ...revokeChecks,
  ...resourceWriteChecks,
  ...webhookChecks,
  ...clockChecks,
];
