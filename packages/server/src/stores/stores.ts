import type { Database } from '../database/open-database.js';
import { type ApiKeyStore, createApiKeyStore } from './api-key-store.js';
import { type AuthorizationCodeStore, createAuthorizationCodeStore } from './authorization-code-store.js';
import { type CatalogueStore, createCatalogueStore } from './catalogue-store.js';
import { type CheckoutStore, createCheckoutStore } from './checkout-store.js';
import { type ClientStore, createClientStore } from './client-store.js';
import { type CommunityStore, createCommunityStore } from './community-store.js';
import { type ConsentStore, createConsentStore } from './consent-store.js';
import { createDropStore, type DropStore } from './drop-store.js';
import { createHealthStore, type HealthStore } from './health-store.js';
import { createMembershipStore, type MembershipStore } from './membership-store.js';
import { createMessengerStore, type MessengerStore } from './messenger-store.js';
import { createPlanStore, type PlanStore } from './plan-store.js';
import { createSessionStore, type SessionStore } from './session-store.js';
import { createSignInCodeStore, type SignInCodeStore } from './sign-in-code-store.js';
import { createTokenPairStore, type TokenPairStore } from './token-pair-store.js';
import { createUserStore, type UserStore } from './user-store.js';
import { createWebhookDeliveryStore, type WebhookDeliveryStore } from './webhook-delivery-store.js';
import { createWebhookLogStore, type WebhookLogStore } from './webhook-log-store.js';
import { createWebhookQueueStore, type WebhookQueueStore } from './webhook-queue-store.js';
import { createWebhookStore, type WebhookStore } from './webhook-store.js';
import { createWidgetReleaseStore, type WidgetReleaseStore } from './widget-release-store.js';

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
