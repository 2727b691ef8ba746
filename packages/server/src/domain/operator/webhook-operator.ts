import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { idField } from '../fields/identifiers.js';
import { createWebhookSecret, registerWebhook } from '../webhooks/registration/register-webhook.js';
import { endpointUrlField, webhookSchema, webhookSecretField } from '../webhooks/registration/webhook.js';
import { saveWebhook } from '../webhooks/registration/webhooks.js';
import { alreadyExists, invalidInput, notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';

/** Webhook to register, for a community or for a product of its owner. */
export interface RegisterWebhook {
  /** @default a new UUID */
  id?: string;
  ownerId: string;
  communityId?: string;
  productId?: string;
  url: string;
  /**
   * 64 hex characters in lower case.
   *
   * @default a new secret
   */
  secret?: string;
}

/** Changes of a webhook. Omitted fields stay unchanged. */
export interface SaveWebhook {
  url?: string;
  /** An inactive webhook receives no new events, and its pending deliveries wait. */
  isActive?: boolean;
  /**
   * Replaces the secret. The old secret no longer signs deliveries.
   *
   * @default false
   */
  rotateSecret?: boolean;
}

/** Operator calls for webhooks (spec, "Events", 1). */
export interface WebhookOperator {
  /** Registers a webhook. The secret signs its deliveries. */
  createWebhook(webhook: RegisterWebhook): Promise<{ id: string; secret: string }>;
  /**
   * Changes a webhook and returns its secret. If the webhook is active afterwards, a pause ends and pending deliveries
   * are sent.
   */
  saveWebhook(webhook: { id: string; ownerId: string }, changes?: SaveWebhook): Promise<{ secret: string }>;
}

export function createWebhookOperator({
  db,
  clock,
  webhookPolicy,
}: Needs<'db' | 'clock' | 'webhookPolicy'>): WebhookOperator {
  const registrationSchema = webhookSchema(webhookPolicy).safeExtend({
    id: idField,
    secret: webhookSecretField.optional(),
  });
  const urlSchema = z.object({ url: endpointUrlField(webhookPolicy) });
  return {
    async createWebhook({ ownerId, id = randomUUID(), ...input }) {
      const webhook = parseInput(registrationSchema, { ...input, id });
      const result = await registerWebhook(db, { ...webhook, ownerId }, clock.now());
      switch (result.kind) {
        case 'registered':
          return { id: result.id, secret: result.secret };
        case 'not-owner':
          throw webhook.communityId === undefined
            ? notFound('product of this owner', webhook.productId ?? '', 'productId')
            : notFound('community where this user is OWNER', webhook.communityId, 'communityId');
        case 'id-taken':
          throw alreadyExists(`Another webhook has the id ${result.id}. Use a different one.`);
        case 'too-many':
          throw invalidInput(
            result.of === 'subject'
              ? `The owner already has ${result.max} webhooks for this community or product. Delete one first.`
              : `The owner already has ${result.max} webhooks. Delete one first.`,
          );
      }
    },

    async saveWebhook(key, { url, isActive, rotateSecret = false } = {}) {
      const changes = {
        url: url === undefined ? undefined : parseInput(urlSchema, { url }).url,
        isActive,
        secret: rotateSecret ? createWebhookSecret() : undefined,
      };
      const saved = await saveWebhook(db, key, changes, clock.now());
      if (saved === undefined) throw notFound('webhook', key.id);
      return saved;
    },
  };
}
