import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { exampleEvent, signWebhook } from '../../src/testing/index.js';
import {
  LatchkeyOptionsError,
  type PayloadSchema,
  type PayloadSchemas,
  referencePayload,
  type WebhookOptions,
  webhooks,
} from '../../src/webhooks/index.js';
import { aDelivery, type Endpoint, SECRET, startEndpoint } from './endpoint.js';

const open: Endpoint[] = [];
async function start<Payload extends PayloadSchemas>(
  options: Partial<WebhookOptions<Payload>>,
): Promise<Endpoint> {
  const endpoint = await startEndpoint({ options: options as Partial<WebhookOptions> });
  open.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A schema that returns a result as it is, to try what a library could return. */
const schemaThat = (validate: (value: unknown) => unknown) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as unknown as PayloadSchema;

describe('the option payload', () => {
  it('passes the output of the schema to the handler of its type', async () => {
    const heard: number[] = [];
    const paid = z.object({ paid: z.string() }).transform(({ paid: text }) => ({ cents: Number(text) }));
    const { deliver, log } = await start({
      payload: { 'payment.success': paid },
      on: { 'payment.success': ({ body }) => heard.push(body.cents) },
    });
    const delivery = aDelivery({ type: 'payment.success', body: { paid: '900' } });
    expect((await deliver(delivery)).status).toBe(200);
    expect([heard, log]).toEqual([[900], []]);
  });

  it('does not affect types without a schema', async () => {
    const { deliver, events } = await start({
      payload: { 'payment.success': z.object({ paid: z.number() }) },
    });
    await deliver(aDelivery({ type: 'payment.failed', body: { any: 1 } }));
    await deliver(aDelivery({ type: 'garden.watered', body: [2] }));
    expect(events.map(({ body }) => body)).toEqual([{ any: 1 }, [2]]);
  });

  it('delivers a refused body again, and names the option and the fields in one line of the log', async () => {
    const { deliver, events, log } = await start({ payload: referencePayload });
    const delivery = aDelivery({ type: 'payment.failed', data: { reason: 'card_declined' } });
    for (let time = 0; time < 2; time += 1) {
      const response = await deliver(delivery);
      expect([response.status, await response.text()]).toEqual([500, 'Not received.']);
    }
    expect(events).toEqual([]);
    expect(log).toMatchObject([{ level: 'error', details: { code: 'payload_unreadable' } }]);
    expect(log[0]?.message).toContain("payload['payment.failed']");
    expect(log[0]?.message).toContain('data.paymentId');
    expect(log[0]?.message).not.toContain('card_declined');
  });

  it('refuses a body that is missing, if its type has a schema', async () => {
    const { deliver, log } = await start({ payload: referencePayload });
    expect((await deliver(aDelivery({ type: 'payment.failed', body: undefined }))).status).toBe(500);
    expect(log[0]?.message).toContain('Invalid: the top level');
  });

  it('is not used for an event without a handler', async () => {
    const validate = vi.fn();
    const { deliver } = await start({
      payload: { 'payment.failed': schemaThat(validate) },
      other: undefined,
    });
    expect((await deliver(aDelivery({ type: 'payment.failed' }))).status).toBe(200);
    expect(validate).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no such table');
      },
      'no such table',
    ],
    ['is asynchronous', async () => ({ value: 1 }), 'validates synchronously'],
    ['rejects', () => Promise.reject(new Error('late')), 'validates synchronously'],
    ['returns nothing', () => undefined, 'It failed'],
    ['names a path of objects', () => ({ issues: [{ message: 'x', path: [{ key: 'a' }, 0] }] }), 'a.0'],
    ['names no path', () => ({ issues: [{ message: 'x' }] }), 'the top level'],
  ])('with a schema that %s delivers the event again', async (_what, validate, message) => {
    const { deliver, events, log } = await start({ payload: { 'payment.failed': schemaThat(validate) } });
    expect((await deliver(aDelivery({ type: 'payment.failed' }))).status).toBe(500);
    expect(events).toEqual([]);
    expect(log[0]?.message).toContain(message);
  });

  it('accepts what the reference server sends, of each type', async () => {
    const { deliver, events, log } = await start({ payload: referencePayload });
    for (const type of Object.keys(referencePayload) as (keyof typeof referencePayload)[])
      expect((await deliver(signWebhook(exampleEvent(type), { secret: SECRET }))).status).toBe(200);
    expect([events.length, log]).toEqual([5, []]);
  });

  it.each([
    [{ payload: 'zod' }, 'payload: must be an object'],
    [
      { payload: { 'payment.faild': referencePayload['payment.failed'] } },
      'payload.payment.faild: is not a known',
    ],
    [{ payload: { 'payment.failed': () => true } }, 'payload.payment.failed: must be a schema'],
    [{ payload: { 'payment.failed': { '~standard': {} } } }, 'payload.payment.failed: must be a schema'],
    [{ eventIdOf: 'id' }, 'eventIdOf: must be a function'],
    [
      { serviceNames: { headerPrefix: 'X-Acme' } },
      'serviceNames.headerPrefix: must be letters, digits and -',
    ],
    [{ serviceNames: { header: 'X-Acme-' } }, 'serviceNames.header: is not a name'],
    [{ serviceNames: 'X-Acme-' }, 'serviceNames: '],
  ])('is checked when webhooks() is called, with the options beside it: %o', (options, message) => {
    let problems = '';
    try {
      webhooks({ secret: SECRET, ...(options as WebhookOptions) });
    } catch (error) {
      if (!(error instanceof LatchkeyOptionsError)) throw error;
      problems = error.message;
    }
    expect(problems).toContain(message);
  });
});
