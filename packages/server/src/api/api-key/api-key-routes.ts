import { Router } from 'express';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import type { MessengerBot } from '../../domain/messenger/messenger-bot.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { buyPlan } from './buy-plan.js';
import { checkMessenger } from './check-messenger.js';
import { dropSignup } from './drop-signup.js';
import { inviteLink } from './invite-link.js';
import { provisionExternal } from './provision-external.js';

interface ApiKeyRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly logUrl: string | undefined;
  readonly messengerBot: MessengerBot | undefined;
  readonly payments: PaymentProvider | undefined;
  readonly db: Database;
}

/** Routes of the five endpoints that take an API key (spec, "API-key endpoints"). */
export function apiKeyRoutes(needs: ApiKeyRoutesNeeds): Router {
  const router = Router();
  router.use(provisionExternal(needs));
  router.use(checkMessenger(needs));
  router.use(dropSignup(needs));
  router.use(inviteLink(needs));
  router.use(buyPlan(needs));
  return router;
}
