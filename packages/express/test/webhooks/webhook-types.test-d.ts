// Compiled, never run: what is known of an event by its type, and what is refused.
import { expectTypeOf } from 'vitest';
import {
  isKnownWebhookEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  webhooks,
} from '../../src/webhooks/index.js';

// A handler has the event of its type, and nothing of another.
webhooks({
  on: {
    'digital.product.purchase': (event) => {
      expectTypeOf(event).toEqualTypeOf<WebhookEventOf<'digital.product.purchase'>>();
      expectTypeOf(event.data.product.slug).toEqualTypeOf<string>();
    },
    'payment.failed': ({ type, data }, { signal, rawBody }) => {
      expectTypeOf(type).toEqualTypeOf<'payment.failed'>();
      expectTypeOf(data.reason).toEqualTypeOf<string>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      expectTypeOf(rawBody.byteLength).toEqualTypeOf<number>();
      // Only a purchase has a product: here it is a field like any that nobody knows.
      expectTypeOf(data.product).toEqualTypeOf<unknown>();
    },
  },
  other: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent>(),
});

// Of a type that nobody knows yet no more is promised than every event has.
export function narrow(event: WebhookEvent): void {
  if (!isKnownWebhookEvent(event)) {
    expectTypeOf(event).toEqualTypeOf<UnknownWebhookEvent>();
    expectTypeOf(event.data.anything).toEqualTypeOf<unknown>();
    return;
  }
  expectTypeOf(event.type).toEqualTypeOf<WebhookEventType>();
  if (event.type === 'payment.failed') expectTypeOf(event.data.reason).toEqualTypeOf<string>();
  // Not every event has a reason.
  expectTypeOf(event.data.reason).toEqualTypeOf<unknown>();
}

// @ts-expect-error: a misspelt event type.
webhooks({ on: { 'payment.faild': () => {} } });
declare const onFailure: (event: WebhookEventOf<'payment.failed'>) => void;
// @ts-expect-error: a handler of one type does not take another.
webhooks({ on: { 'payment.success': onFailure } });
