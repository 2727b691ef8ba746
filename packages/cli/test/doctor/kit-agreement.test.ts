import { createHmac } from 'node:crypto';
import { comparableId } from '@latchkey/contract/constants';
import { verifyWebhook, WebhookVerificationError } from '@latchkey/express/webhooks';
import { expect, it } from 'vitest';
import { eventIdIn, verifyDelivery } from '../../src/doctor/captured-delivery.js';

const SECRET = '5eed00f1'.repeat(8);
const UUID = '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0102';

const sign = (body: string) => createHmac('sha256', SECRET).update(body).digest();

/** The error code of the kit, or undefined if it accepts the delivery. */
function rejectionOf(body: string, { signature, id }: { signature: string; id: string }): string | undefined {
  const headers = {
    'x-svc-signature': signature,
    'x-svc-event-type': 'payment.success',
    'x-svc-event-id': id,
  };
  try {
    verifyWebhook(body, headers, SECRET);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

it.each([
  [{}],
  [{ eventId: 'e1' }],
  [{ event_id: 'e2' }],
  [{ eventId: 7 }],
  [{ eventId: UUID.toUpperCase() }],
  [{ id: 'e1' }],
  [{ id: 'e2', type: 'payment.success' }],
  [{ id: 'e2', event: 'payment.success' }],
  [{ id: 'e2', event_type: 'payment.success', eventId: 'e1' }],
  [{ id: 'e2', type: 'something.else' }],
  [{ data: { eventId: 'e2' } }],
  [{ eventId: null, id: 'e2' }],
  [{ eventId: '' }],
])('finds the event id of %j where the kit does', (fields) => {
  const body = JSON.stringify(fields);
  for (const id of ['e1', 'e2', '7', UUID]) {
    const found = eventIdIn(fields);
    const agrees = found === undefined || comparableId(found.value) === comparableId(id);
    const rejection = rejectionOf(body, { signature: sign(body).toString('hex'), id });
    expect(rejection, id).toBe(agrees ? undefined : 'headers_mismatch');
  }
});

it('accepts the signatures that the kit accepts', () => {
  const body = '{"n":1}';
  const mac = sign(body);
  const texts = ['hex', 'base64', 'base64url'].map((encoding) => mac.toString(encoding as 'hex'));
  const forms = texts.flatMap((text) => [text, text.replace(/=$/, ''), text.toUpperCase(), `${text}=`]);
  for (const form of [...forms, '', 'v1', 'ab'.repeat(64), sign('other').toString('hex')]) {
    for (const signature of [form, `sha256=${form}`, `SHA256=${form}`, `sha1=${form}`]) {
      if (signature === '') continue;
      const { kind } = verifyDelivery({ body: Buffer.from(body), signature }, SECRET);
      const isAccepted = rejectionOf(body, { signature, id: 'e1' }) === undefined;
      expect(kind === 'valid', signature).toBe(isAccepted);
    }
  }
});
