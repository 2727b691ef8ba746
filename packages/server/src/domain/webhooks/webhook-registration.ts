import { randomBytes, randomUUID } from 'node:crypto';
import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { invalidInput, notFound, OperatorError } from '../operator/operator-error.js';
import type { EndpointPolicy } from './endpoint-address.js';
import { checkEndpointUrl } from './endpoint-url.js';
import { deleteWebhook, insertWebhook, ownsSubject, saveWebhook, type WebhookKey } from './webhooks.js';

interface WebhookRegistrationNeeds {
  readonly clock: Clock;
  readonly db: Database;
  readonly webhookPolicy: EndpointPolicy;
}

/** A webhook to register, for a community or for a product of its owner. */
export interface RegisterWebhook {
  /** Default: a new UUID. */
  id?: string;
  ownerId: string;
  communityId?: string;
  productId?: string;
  url: string;
  /** 64 hex characters. Default: new ones. */
  secret?: string;
}

/** What to change of a webhook. */
export interface SaveWebhook {
  /** Default: the one it has. */
  url?: string;
  /** False switches it off: it hears no new events, and its deliveries wait. Default: as it is. */
  isActive?: boolean;
  /** Replaces the secret; the old one signs nothing any more. Default false. */
  rotateSecret?: boolean;
}

/**
 * What the owner of a community or product does with webhooks (spec, "Events", 1); the queries to list them are in
 * `stores.webhooks` and `stores.webhookDeliveries`. Every call rejects with an `OperatorError` when it is refused:
 * `invalid_input` with a sentence about the URL or the subject, `already_exists`, or `not_found`, which somebody
 * else's webhook is too.
 */
export interface WebhookRegistration {
  /** Registers a webhook. Its secret is told here, and when it is saved. */
  register(webhook: RegisterWebhook): Promise<{ id: string; secret: string }>;
  /**
   * Saves a webhook, and tells its secret again. If it is active afterwards it is so anew: a pause is over, its health
   * starts afresh, and what waited goes out.
   */
  save(key: WebhookKey, changes?: SaveWebhook): Promise<{ secret: string }>;
  /** Deletes a webhook with its deliveries. */
  remove(key: WebhookKey): Promise<void>;
}

/** How many webhooks somebody can have for one community or product: each gets every event, and each costs attempts. */
const MAX_PER_SUBJECT = 10;

const SECRET = new RegExp(`^[0-9a-f]{${WEBHOOK_SECRET_LENGTH}}$`);

export function createWebhookRegistration({
  clock,
  db,
  webhookPolicy,
}: WebhookRegistrationNeeds): WebhookRegistration {
  const checkUrl = (text: string) => {
    const checked = checkEndpointUrl(text, webhookPolicy);
    if ('problem' in checked) throw invalidInput(checked.problem);
    return checked.url;
  };
  return {
    async register({ id = randomUUID(), ownerId, communityId, productId, secret = newSecret(), ...rest }) {
      if (!SECRET.test(secret)) throw invalidInput('secret must be 64 hex characters, in lower case.');
      const url = checkUrl(rest.url);
      if ((communityId === undefined) === (productId === undefined)) {
        throw invalidInput('A webhook is for a community or for a product: give communityId or productId.');
      }
      const subject = { communityId: communityId ?? null, productId: productId ?? null };
      if (!(await ownsSubject(db, ownerId, subject))) {
        throw communityId === undefined
          ? notFound('product of this owner', productId ?? '')
          : notFound('community where this user is OWNER', communityId);
      }
      const result = await insertWebhook(
        db,
        { id, ownerId, ...subject, url, secret },
        { now: clock.now(), max: MAX_PER_SUBJECT },
      );
      if (result === 'taken') throw new OperatorError('already_exists', `A webhook has the id ${id}.`);
      if (result === 'too_many') {
        throw invalidInput(`There are ${MAX_PER_SUBJECT} webhooks for this already; delete one first.`);
      }
      return { id, secret };
    },

    async save(key, { url, isActive, rotateSecret = false } = {}) {
      const saved = await saveWebhook(
        db,
        key,
        {
          ...(url !== undefined && { url: checkUrl(url) }),
          ...(isActive !== undefined && { isActive }),
          ...(rotateSecret && { secret: newSecret() }),
        },
        clock.now(),
      );
      if (saved === undefined) throw notFound('webhook', key.id);
      return saved;
    },

    async remove(key) {
      if (!(await deleteWebhook(db, key))) throw notFound('webhook', key.id);
    },
  };
}

function newSecret(): string {
  return randomBytes(WEBHOOK_SECRET_LENGTH / 2).toString('hex');
}
