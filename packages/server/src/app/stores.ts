import { type ApiKeyStore, createApiKeyStore } from '../domain/api-keys/api-keys.js';
import { type CatalogueStore, createCatalogueStore } from '../domain/catalogue/catalogue.js';
import { createPlanStore, type PlanStore } from '../domain/catalogue/pricing-plans.js';
import { type CheckoutStore, createCheckoutStore } from '../domain/checkout/checkouts.js';
import { type CommunityStore, createCommunityStore } from '../domain/communities/communities.js';
import { createDropStore, type DropStore } from '../domain/drops/drop-slots.js';
import { createMembershipStore, type MembershipStore } from '../domain/memberships/memberships.js';
import { createMessengerStore, type MessengerStore } from '../domain/messenger/messenger-accounts.js';
import {
  type AuthorizationCodeStore,
  createAuthorizationCodeStore,
} from '../domain/oauth/authorization-codes.js';
import { type ClientStore, createClientStore } from '../domain/oauth/clients.js';
import { type ConsentStore, createConsentStore } from '../domain/oauth/consents.js';
import { createTokenPairStore, type TokenPairStore } from '../domain/oauth/token-pairs.js';
import { createSessionStore, type SessionStore } from '../domain/sessions/sessions.js';
import { createSignInCodeStore, type SignInCodeStore } from '../domain/sessions/sign-in-codes.js';
import { createUserStore, type UserStore } from '../domain/users/users.js';
import { createWebhookDeliveryStore, type WebhookDeliveryStore } from '../domain/webhooks/deliveries.js';
import { createWebhookQueueStore, type WebhookQueueStore } from '../domain/webhooks/delivery-queue.js';
import { createWebhookLogStore, type WebhookLogStore } from '../domain/webhooks/webhook-log.js';
import { createWebhookStore, type WebhookStore } from '../domain/webhooks/webhooks.js';
import { createWidgetReleaseStore, type WidgetReleaseStore } from '../domain/widget/widget-releases.js';
import type { Database } from '../platform/database/open-database.js';
import { createHealthStore, type HealthStore } from '../platform/health/health-queries.js';

/** Every query of the service. */
export interface Stores {
  users: UserStore;
  sessions: SessionStore;
  signInCodes: SignInCodeStore;
  clients: ClientStore;
  consents: ConsentStore;
  authorizationCodes: AuthorizationCodeStore;
  tokenPairs: TokenPairStore;
  memberships: MembershipStore;
  catalogue: CatalogueStore;
  communities: CommunityStore;
  plans: PlanStore;
  checkouts: CheckoutStore;
  drops: DropStore;
  messenger: MessengerStore;
  apiKeys: ApiKeyStore;
  webhooks: WebhookStore;
  widgetReleases: WidgetReleaseStore;
  webhookDeliveries: WebhookDeliveryStore;
  webhookQueue: WebhookQueueStore;
  webhookLog: WebhookLogStore;
  health: HealthStore;
}

export function createStores(db: Database): Stores {
  return {
    users: createUserStore(db),
    sessions: createSessionStore(db),
    signInCodes: createSignInCodeStore(db),
    clients: createClientStore(db),
    consents: createConsentStore(db),
    authorizationCodes: createAuthorizationCodeStore(db),
    tokenPairs: createTokenPairStore(db),
    memberships: createMembershipStore(db),
    catalogue: createCatalogueStore(db),
    communities: createCommunityStore(db),
    plans: createPlanStore(db),
    checkouts: createCheckoutStore(db),
    drops: createDropStore(db),
    messenger: createMessengerStore(db),
    apiKeys: createApiKeyStore(db),
    webhooks: createWebhookStore(db),
    widgetReleases: createWidgetReleaseStore(db),
    webhookDeliveries: createWebhookDeliveryStore(db),
    webhookQueue: createWebhookQueueStore(db),
    webhookLog: createWebhookLogStore(db),
    health: createHealthStore(db),
  };
}
