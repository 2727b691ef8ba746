// Compiled, never run. Proves what the types know of an event, and what they reject.
import { expectTypeOf } from 'vitest';
import {
  isKnownWebhookEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  webhooks,
} from '../../src/webhooks/index.js';

// A handler receives only events of its type.
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
      // Only a purchase has a product. In other events it is an unknown field.
      expectTypeOf(data.product).toEqualTypeOf<unknown>();
    },
  },
  other: (event) => expectTypeOf(event).toEqualTypeOf<WebhookEvent>(),
});

// Of an unknown type, only the common fields are typed.
export function narrow(event: WebhookEvent): void {
  if (!isKnownWebhookEvent(event)) {
    expectTypeOf(event).toEqualTypeOf<UnknownWebhookEvent>();
    expectTypeOf(event.data.anything).toEqualTypeOf<unknown>();
    return;
  }
  expectTypeOf(event.type).toEqualTypeOf<WebhookEventType>();
  if (event.type === 'payment.failed') expectTypeOf(event.data.reason).toEqualTypeOf<string>();
  // Only some events have a reason.
  expectTypeOf(event.data.reason).toEqualTypeOf<unknown>();
}

// @ts-expect-error: misspelt event type.
webhooks({ on: { 'payment.faild': () => {} } });
declare const onFailure: (event: WebhookEventOf<'payment.failed'>) => void;
// @ts-expect-error: a handler of one type does not accept another.
webhooks({ on: { 'payment.success': onFailure } });
