import { describe, expect, it } from 'vitest';
import { type EventIdReader, verifyWebhook } from '../../src/webhooks/index.js';
import { aDelivery, SECRET } from './endpoint.js';

const UUID = 'e0e0e0e0-0000-4000-8000-00000000000e';

/** Result of verifying a body under the headers `payment.success` and the id. */
function resultOf(
  body: unknown,
  { id = 'evt-1', eventIdOf }: { id?: string; eventIdOf?: EventIdReader | undefined } = {},
) {
  const { body: text, headers } = aDelivery({ type: 'payment.success', id, body });
  try {
    verifyWebhook(text, headers, SECRET, { eventIdOf });
    return 'accepted';
  } catch (error) {
    return Reflect.get(Object(error), 'code') ?? error;
  }
}

describe('the event id in a body', () => {
  it.each([
    ['eventId', { eventId: 'evt-1' }],
    ['event_id', { event_id: 'evt-1' }],
    ['id beside type', { type: 'payment.success', id: 'evt-1' }],
    ['id beside event', { event: 'payment.success', id: 'evt-1' }],
    ['id beside eventType', { eventType: 'payment.success', id: 'evt-1' }],
    ['id beside event_type', { event_type: 'payment.success', id: 'evt-1' }],
  ])('is compared with the header: %s', (_name, body) => {
    expect(resultOf(body)).toBe('accepted');
    expect(resultOf(body, { id: 'evt-2' })).toBe('headers_mismatch');
  });

  it.each([
    ['id without an event type', { id: 'pay-1' }],
    ['id beside another type', { type: 'card', id: 'pay-1' }],
    ['id beside eventId', { type: 'payment.success', id: 'pay-1', eventId: 'evt-1' }],
    ['ids of deeper objects', { data: { eventId: 'evt-9', event_id: 'evt-9' } }],
    ['an object', { event_id: { id: 'evt-9' } }],
    ['null, and empty text', { eventId: null, event_id: '' }],
    ['a prototype', JSON.parse('{"__proto__":{"eventId":"evt-9"}}')],
    ['a list', [{ eventId: 'evt-9' }]],
  ])('is not read from %s', (_name, body) => {
    expect(resultOf(body)).toBe('accepted');
  });

  it('can be a number, and a UUID in any letter case', () => {
    expect(resultOf({ eventId: 77 }, { id: '77' })).toBe('accepted');
    expect(resultOf({ eventId: 77 }, { id: '78' })).toBe('headers_mismatch');
    expect(resultOf({ eventId: UUID }, { id: UUID.toUpperCase() })).toBe('accepted');
    expect(resultOf({ eventId: 'evt-a' }, { id: 'EVT-A' })).toBe('headers_mismatch');
  });

  it('can be a number that JavaScript rounds', () => {
    const resultFor = (id: string) =>
      resultOf('{"n":{"eventId":2},"eventId":9007199254740993,"list":[{"":3}]}', { id });
    expect(resultFor('9007199254740993')).toBe('accepted');
    for (const id of ['9007199254740992', '2', 'evt-1']) expect(resultFor(id), id).toBe('headers_mismatch');
    expect(resultOf('{"eventId":1e999}')).toBe('accepted');
  });

  it('is read by eventIdOf alone, if the app sets it', () => {
    const eventIdOf: EventIdReader = (body) => Reflect.get(Object(Reflect.get(Object(body), 'meta')), 'id');
    expect(resultOf({ meta: { id: 'evt-1' }, eventId: 'x' }, { eventIdOf })).toBe('accepted');
    expect(resultOf({ meta: { id: 'evt-2' } }, { eventIdOf })).toBe('headers_mismatch');
    const misread = { type: 'payment.failed', id: 'pay-1' };
    expect(resultOf(misread)).toBe('headers_mismatch');
    expect(resultOf(misread, { eventIdOf: () => undefined })).toBe('accepted');
  });

  it('is named by the error with the option to set', () => {
    const { body, headers } = aDelivery({ type: 'payment.success', body: { eventId: 'evt-9' } });
    expect(() => verifyWebhook(body, headers, SECRET)).toThrow('set the option eventIdOf');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no meta');
      },
    ],
    ['returns a number', () => 7],
    ['returns empty text', () => ''],
    ['returns a promise', async () => 'evt-1'],
    ['returns a promise that fails', () => Promise.reject(new Error('no'))],
  ])('is an error if eventIdOf %s', (_what, eventIdOf) => {
    // Not a reader by its type, as in JavaScript.
    expect(resultOf({}, { eventIdOf: eventIdOf as never })).toBe('event_id_unreadable');
  });
});

describe('the event type in a body', () => {
  it.each(['type', 'event', 'eventType', 'event_type'])('is compared with the header: %s', (name) => {
    expect(resultOf({ [name]: 'payment.success' })).toBe('accepted');
    expect(resultOf({ [name]: 'payment.failed' })).toBe('headers_mismatch');
  });

  it('is none if it is not one of the five of the spec', () => {
    for (const type of ['card', 'payment_success', 'PAYMENT.FAILED', 7, null, { type: 'payment.failed' }])
      expect(resultOf({ type })).toBe('accepted');
  });
});
