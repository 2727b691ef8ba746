import type { AdminOperation } from './operations/admin-operation.js';
import {
  createApiKey,
  grantProvisioning,
  revokeApiKey,
  withdrawProvisioning,
} from './operations/api-keys.js';
import {
  registerClient,
  replaceClientSecret,
  updateClient,
  verifyClient,
  withdrawVerification,
} from './operations/clients.js';
import { assignRole, createCommunity, setCommunityBrand, setMessengerBot } from './operations/communities.js';
import { createDropSlot } from './operations/drops.js';
import { endMembership, grantMembership } from './operations/memberships.js';
import { createPricingPlan } from './operations/pricing-plans.js';
import { createProduct, handOverProduct } from './operations/products.js';
import { createUser, deleteUser, endSessions, findUser, turnOffTwoStep } from './operations/users.js';
import { createWebhook, saveWebhook } from './operations/webhooks.js';

/** The commands of `latchkey admin`, in the order of the help: one for each call of the operator. */
export const ADMIN_OPERATIONS: readonly AdminOperation[] = [
  createUser,
  findUser,
  endSessions,
  turnOffTwoStep,
  deleteUser,
  createCommunity,
  setCommunityBrand,
  assignRole,
  setMessengerBot,
  createProduct,
  handOverProduct,
  createPricingPlan,
  createDropSlot,
  grantMembership,
  endMembership,
  registerClient,
  updateClient,
  replaceClientSecret,
  verifyClient,
  withdrawVerification,
  createApiKey,
  revokeApiKey,
  grantProvisioning,
  withdrawProvisioning,
  createWebhook,
  saveWebhook,
];
