import { endpointsOf } from '@latchkey/contract';
import { Router } from 'express';
import type { PaymentProvider } from '../../domain/checkout/payment-provider.js';
import type { MessengerBot } from '../../domain/messenger/messenger-bot.js';
import type { Clock } from '../../platform/clock.js';
import { buyPlan } from './buy-plan.js';
import { checkMessenger } from './check-messenger.js';
import { dropSignup } from './drop-signup.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { inviteLink } from './invite-link.js';
import { provisionExternal } from './provision-external.js';

interface ApiKeyRoutesNeeds extends Omit<ApiKeyNeeds, 'endpoints'> {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly messengerBot: MessengerBot | undefined;
  readonly payments: PaymentProvider | undefined;
}

/** Routes of the five endpoints that take an API key (spec, "API-key endpoints"). */
export function apiKeyRoutes(options: ApiKeyRoutesNeeds): Router {
  const needs = { ...options, endpoints: endpointsOf(options.serviceNames) };
  const router = Router();
  const endpoints = [provisionExternal, checkMessenger, dropSignup, inviteLink, buyPlan];
  for (const endpoint of endpoints) endpoint(needs)(router);
  return router;
}
