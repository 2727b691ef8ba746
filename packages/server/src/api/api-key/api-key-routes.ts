import { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { buyPlan } from './buy-plan.js';
import { checkMessenger } from './check-messenger.js';
import { dropSignup } from './drop-signup.js';
import { inviteLink } from './invite-link.js';
import { provisionExternal } from './provision-external.js';

/** The endpoints that take an API key (spec, "API-key endpoints"); nothing else does. */
export function apiKeyRoutes(dependencies: Dependencies): Router {
  const router = Router();
  router.use(provisionExternal(dependencies));
  router.use(checkMessenger(dependencies));
  router.use(dropSignup(dependencies));
  router.use(inviteLink(dependencies));
  router.use(buyPlan(dependencies));
  return router;
}
