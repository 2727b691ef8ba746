import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Assumption,
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeDelivery,
  fakeUser,
  READINGS,
  type ReadingName,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DoctorRun, doctor } from './doctor.js';

const SECRET = '5eed00f1'.repeat(8);
const ORIGIN = 'https://shop.example';
const API_KEY = `svc_${'k'.repeat(43)}`;

/** The assumption that a check detects. A scripted header tests the check `clock`. */
const DETECTED = [
  ['token-cors', 'token-cors'],
  ['membership-id-shared', 'membership-id-shared'],
  ['webhook-signature', 'webhook-signature-encoding'],
  ['webhook-event-id', 'webhook-event-id-in-body'],
  ['webhook-membership', 'webhook-membership-place'],
  ['webhook-body-size', 'body-size'],
] as const;

describe.each(READINGS)('a service of the %s reading', (reading) => {
  it.each(DETECTED)('the check %s detects that %s is wrong', async (check, assumption) => {
    const { ids } = await checkAll(reading, assumption);
    expect(ids('differs')).toContain(check);
  });

  it('differs in nothing else', async () => {
    const { ids } = await checkAll(reading, undefined);
    expect(ids('differs')).toEqual([]);
    expect(ids('not_checked').filter((id) => !id.startsWith('client-identity.'))).toEqual([
      'client-known',
      'redirect-uri',
    ]);
  });
});

/** Runs all checks with the account of a member, and with the delivery of the member's purchase. */
async function checkAll(reading: ReadingName, against: Assumption | undefined): Promise<DoctorRun> {
  const service = await startFakeService({ reading, against });
  onTestFinished(() => service.close());
  const { id: communityId } = service.addCommunity();
  service.addApiKey({ key: API_KEY });
  const user = service.addUser({ ...fakeUser('ada@example.com'), messengerUserId: 7 });
  service.addWebhook({ url: `${service.url}/receiver`, secret: SECRET, communityId });
  await provision(service.url, communityId);
  const delivery = await deliveryOf(service.deliveries);
  service.stop();
  const redirectUri = `${ORIGIN}/auth/callback`;
  const code = service.issueCode({ user, clientId: CONFIDENTIAL_CLIENT, redirectUri, challenge: undefined });
  const token = await redeem(service.url, { code, redirect_uri: redirectUri });
  const [, signature = ''] =
    Object.entries(delivery.headers).find(([name]) => name.endsWith('-Signature')) ?? [];
  return await doctor(
    service.url,
    [
      ...['--origin', ORIGIN, '--community', communityId, '--messenger-user-id', '7'],
      ...['--webhook-body', bodyFile(delivery.body), '--webhook-signature', signature],
      ...['--webhook-event-id', delivery.eventId],
    ],
    { LATCHKEY_API_KEY: API_KEY, LATCHKEY_ACCESS_TOKEN: token, LATCHKEY_WEBHOOK_SECRET: SECRET },
  );
}

async function provision(url: string, communityId: string): Promise<void> {
  const response = await fetch(`${url}/membership/provision-external`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ communityId, externalOrderId: 'order-1', email: 'ada@example.com' }),
  });
  expect(response.ok).toBe(true);
}

async function redeem(url: string, code: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: CONFIDENTIAL_CLIENT, client_secret: CLIENT_SECRET },
      ...code,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** Waits for the first attempt. The receiver does not exist. */
async function deliveryOf(deliveries: readonly FakeDelivery[]): Promise<FakeDelivery> {
  await expect.poll(() => deliveries.length, { timeout: 10_000 }).toBeGreaterThan(0);
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('The service delivered no event.');
  return delivery;
}

/** Path of a file with this body. */
function bodyFile(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'body');
  writeFileSync(file, body);
  return file;
}
