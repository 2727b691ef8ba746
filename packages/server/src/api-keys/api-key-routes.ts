import { Router } from 'express';
import { buyPlan } from '../checkout/buy-plan.js';
import type { Dependencies } from '../dependencies.js';
import { dropSignup } from '../drops/drop-signup.js';
import { checkMessenger } from '../membership/check-messenger.js';
import { provisionExternal } from '../membership/provision-external.js';
import { inviteLink } from '../messenger/invite-link.js';

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
