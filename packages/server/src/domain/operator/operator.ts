import type { Needs } from '../../app/services.js';
import { type ApiKeyOperator, createApiKeyOperator } from './api-key-operator.js';
import { type CatalogueOperator, createCatalogueOperator } from './catalogue-operator.js';
import { type ClientOperator, createClientOperator } from './client-operator.js';
import { type CommunityOperator, createCommunityOperator } from './community-operator.js';
import { createDropOperator, type DropOperator } from './drop-operator.js';
import { createMembershipOperator, type MembershipOperator } from './membership-operator.js';
import { createUserOperator, type UserOperator } from './user-operator.js';
import { createWebhookOperator, type WebhookOperator } from './webhook-operator.js';

/** Administrative calls of the service, in process. Each rejects with an `OperatorError` if it fails. */
export interface Operator
  extends UserOperator,
    CommunityOperator,
    CatalogueOperator,
    MembershipOperator,
    DropOperator,
    ClientOperator,
    ApiKeyOperator,
    WebhookOperator {}

export function createOperator(
  needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'serviceNames' | 'webhookPolicy'>,
): Operator {
  return {
    ...createUserOperator(needs),
    ...createCommunityOperator(needs),
    ...createCatalogueOperator(needs),
    ...createMembershipOperator(needs),
    ...createDropOperator(needs),
    ...createClientOperator(needs),
    ...createApiKeyOperator(needs),
    ...createWebhookOperator(needs),
  };
}
