import { createServer } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import {
  type SignableEvent,
  type SignedWebhook,
  type SignWebhookOptions,
  signWebhook,
} from '../../src/testing/index.js';
import {
  type WebhookContext,
  type WebhookEvent,
  type WebhookOptions,
  webhooks,
} from '../../src/webhooks/index.js';
import { listen } from '../listen.js';

export const SECRET = '5ec2e7'.repeat(10).concat('abcd');
export const OLD_SECRET = '01d5ec2e'.repeat(8);

/** An app with one webhook endpoint on a real port, and its records. */
export interface Endpoint {
  url: string;
  /** Events that reached a handler, in order. */
  events: WebhookEvent[];
  contexts: WebhookContext[];
  log: { level: 'warn' | 'error'; message: string; details: Record<string, unknown> | undefined }[];
  /** Sends a delivery. `changes` replace its headers; undefined removes one. */
  deliver(delivery: SignedWebhook, changes?: Record<string, string | undefined>): Promise<Response>;
  close(): Promise<void>;
}

export interface EndpointSetup {
  options?: Partial<WebhookOptions>;
  /** Mounts the endpoint. By default at `/webhooks`, without other middleware. */
  mount?: (app: Express, endpoint: RequestHandler) => void;
  /** Creates the app. By default with Express 5. */
  express?: () => Express;
  /** Creates the middleware. By default `webhooks()`. */
  make?: (options: WebhookOptions) => RequestHandler;
}

export async function startEndpoint({
  options = {},
  mount = (app, endpoint) => app.all('/webhooks', endpoint),
  express: makeApp = express,
  make = webhooks,
}: EndpointSetup = {}): Promise<Endpoint> {
  const events: WebhookEvent[] = [];
  const contexts: WebhookContext[] = [];
  const log: Endpoint['log'] = [];
  const keep = (event: WebhookEvent, context: WebhookContext) => {
    events.push(event);
    contexts.push(context);
  };
  const app = makeApp();
  app.set('env', 'test');
  mount(
    app,
    make({
      ...('secrets' in options || 'communities' in options ? {} : { secret: SECRET }),
      other: keep,
      logger: {
        warn: (message, details) => log.push({ level: 'warn', message, details }),
        error: (message, details) => log.push({ level: 'error', message, details }),
      },
      ...options,
    }),
  );
  const server = createServer(app);
  const { url, close } = await listen(server);
  return {
    url: `${url}/webhooks`,
    events,
    contexts,
    log,
    deliver(delivery, changes = {}) {
      const headers = Object.entries({ ...delivery.headers, ...changes }).filter(
        (header): header is [string, string] => header[1] !== undefined,
      );
      return fetch(`${url}/webhooks`, { ...delivery, headers });
    },
    close,
  };
}

/** A signed delivery of an arbitrary event. */
export function aDelivery(
  event: Partial<SignableEvent> = {},
  options: Partial<SignWebhookOptions> = {},
): SignedWebhook {
  return signWebhook({ type: 'garden.watered', ...event }, { secret: SECRET, ...options });
}
