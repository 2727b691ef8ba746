// Compiled, never run. Proves what the types know of an event, and what they reject.
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { type Latchkey, type LatchkeyOptions, latchkey } from '../../src/index.js';
import {
  type AnyWebhookEvent,
  isKnownWebhookEvent,
  type ReferencePayload,
  referencePayload,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookOptions,
  webhooks,
} from '../../src/webhooks/index.js';

// A handler receives only events of its type. Without schemas their bodies are unknown.
webhooks({
  on: {
    'digital.product.purchase': (event) => {
      expectTypeOf(event.type).toEqualTypeOf<'digital.product.purchase'>();
      expectTypeOf(event.body).toEqualTypeOf<unknown>();
      expectTypeOf(event.raw.byteLength).toEqualTypeOf<number>();
    },
    'payment.failed': ({ receivedAt }, { signal }) => {
      expectTypeOf(receivedAt).toEqualTypeOf<number>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    },
  },
  other: ({ type, body }) => {
    expectTypeOf(type).toEqualTypeOf<string>();
    expectTypeOf(body).toEqualTypeOf<unknown>();
  },
});

// The payloads of the reference server.
webhooks({
  payload: referencePayload,
  on: {
    'digital.product.purchase': (event) => {
      expectTypeOf(event).toEqualTypeOf<WebhookEventOf<'digital.product.purchase'>>();
      expectTypeOf(event.body.data.product.slug).toEqualTypeOf<string>();
    },
    'payment.failed': ({ type, body }) => {
      expectTypeOf(type).toEqualTypeOf<'payment.failed'>();
      expectTypeOf(body.data.reason).toEqualTypeOf<string>();
      // Only a purchase has a product. In other events it is an unknown field.
      expectTypeOf(body.data.product).toEqualTypeOf<unknown>();
    },
  },
  other: (event) => expectTypeOf(event).toEqualTypeOf<AnyWebhookEvent<ReferencePayload>>(),
});

// Schemas of one's own, for some of the types. The body is what the schema returns.
const paid = z.object({ paid: z.string() }).transform(({ paid: text }) => ({ cents: Number(text) }));
const options: WebhookOptions<{ 'payment.success': typeof paid }> = {
  payload: { 'payment.success': paid },
  on: {
    'payment.success': ({ body }) => expectTypeOf(body).toEqualTypeOf<{ cents: number }>(),
    'payment.failed': ({ body }) => expectTypeOf(body).toEqualTypeOf<unknown>(),
  },
};
webhooks(options);
declare const auth: Latchkey;
auth.webhooks({
  payload: { 'payment.success': paid },
  on: { 'payment.success': ({ body }) => expectTypeOf(body.cents).toEqualTypeOf<number>() },
});
latchkey({ serviceNames: { headerPrefix: 'X-Acme-' } } as LatchkeyOptions);

// Of an unknown type, only the common fields are typed.
export function narrow(text: string, headers: Headers, secret: string): void {
  const event = verifyWebhook(text, headers, secret, { payload: referencePayload });
  if (!isKnownWebhookEvent(event)) {
    expectTypeOf(event.body).toEqualTypeOf<unknown>();
    return;
  }
  expectTypeOf(event.type).toEqualTypeOf<WebhookEventType>();
  if (event.type === 'payment.failed') expectTypeOf(event.body.data.reason).toEqualTypeOf<string>();
  // Only some events have a reason.
  expectTypeOf(event.body.data.reason).toEqualTypeOf<unknown>();
}

// Without schemas, the known types narrow nothing but the type.
export function narrowPlain(event: WebhookEvent): void {
  if (!isKnownWebhookEvent(event)) return;
  expectTypeOf(event.type).toEqualTypeOf<WebhookEventType>();
  expectTypeOf(event.body).toEqualTypeOf<unknown>();
}

// @ts-expect-error: misspelt event type.
webhooks({ on: { 'payment.faild': () => {} } });
// @ts-expect-error: not a schema.
webhooks({ payload: { 'payment.failed': () => true } });
declare const onFailure: (event: WebhookEventOf<'payment.failed'>) => void;
// @ts-expect-error: a handler of one type does not accept another.
webhooks({ payload: referencePayload, on: { 'payment.success': onFailure } });
// @ts-expect-error: without the schemas, the body is unknown.
webhooks({ on: { 'payment.failed': onFailure } });
