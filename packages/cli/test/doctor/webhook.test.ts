import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unusedAddress } from '@latchkey/conformance/scripted-service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { doctor } from './doctor.js';

const SECRET = '5eed00f1'.repeat(8);
const MEMBERSHIP = '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0102';

/** Path of a file with these bytes. */
function bodyFile(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'body');
  writeFileSync(file, body);
  return file;
}

/** Checks a captured delivery. No service answers, because these checks send nothing. */
async function check(
  body: string,
  { signature = sign(body).toString('hex'), eventId }: { signature?: string; eventId?: string } = {},
) {
  return await doctor(
    await unusedAddress(),
    [
      ...['--webhook-body', bodyFile(body), '--webhook-signature', signature],
      ...(eventId === undefined ? [] : ['--webhook-event-id', eventId]),
    ],
    { LATCHKEY_WEBHOOK_SECRET: SECRET },
  );
}

const OTHER = MEMBERSHIP.replace('7b0c', '7b0d');

const sign = (body: string) => createHmac('sha256', SECRET).update(body).digest();
/** A body whose signature contains characters in which the two alphabets of base64 differ. */
const BODY = '{"n":1}';

describe('webhook-signature', () => {
  it.each([
    ['hex', sign(BODY).toString('hex'), 'hex.'],
    ['hex in capitals', sign(BODY).toString('hex').toUpperCase(), 'hex.'],
    ['base64', sign(BODY).toString('base64'), 'base64'],
    ['base64url without padding', sign(BODY).toString('base64url'), 'base64'],
    ['base64 with a prefix', `SHA256=${sign(BODY).toString('base64')}`, 'with the prefix sha256='],
  ])('verifies %s and names it', async (_name, signature, named) => {
    const { check: result } = await check(BODY, { signature });
    expect(result('webhook-signature')).toMatchObject({
      result: 'ok',
      meaning: expect.stringContaining(named),
    });
  });

  it.each([
    ['a signature of another body', sign('other').toString('hex'), 'does not match'],
    ['another algorithm', 'ab'.repeat(64), 'neither hex nor base64'],
    ['no signature at all', 'v1', 'neither hex nor base64'],
  ])('differs for %s', async (_name, signature, meaning) => {
    const { check: result, text, code } = await check(BODY, { signature });
    expect(result('webhook-signature')).toMatchObject({
      result: 'differs',
      meaning: expect.stringContaining(meaning),
    });
    expect(code).toBe(1);
    expect(text).not.toContain(SECRET);
  });
});

describe('webhook-event-id', () => {
  it.each([
    ['eventId', { eventId: 'e1' }],
    ['id beside a type', { id: 'e1', event: 'payment.success' }],
  ])('compares the header with %s', async (_name, body) => {
    const text = JSON.stringify(body);
    const of = async (eventId?: string) =>
      (await check(text, { ...(eventId !== undefined && { eventId }) })).check('webhook-event-id');
    expect((await of('e1'))?.result).toBe('ok');
    expect(await of('e2')).toMatchObject({ result: 'differs', action: expect.stringContaining('eventIdOf') });
    expect((await of())?.needs).toContain('--webhook-event-id');
  });

  it('accepts a body without an event id', async () => {
    for (const body of [{}, { id: 'a-membership' }, { id: 'x', type: 'something.else' }, [], 1]) {
      const { check: result } = await check(JSON.stringify(body), { eventId: 'e1' });
      expect(result('webhook-event-id'), JSON.stringify(body)).toMatchObject({
        result: 'ok',
        meaning: expect.stringContaining('idempotent'),
      });
    }
  });
});

describe('webhook-membership', () => {
  it.each([
    ['membershipId', { membershipId: MEMBERSHIP }],
    ['data.membership_id', { data: { membership_id: MEMBERSHIP } }],
    ['data.membership.id', { data: { membership: { id: MEMBERSHIP } } }],
  ])('names the place %s', async (path, body) => {
    const { check: result } = await check(JSON.stringify(body));
    expect(result('webhook-membership')).toMatchObject({
      result: 'ok',
      meaning: expect.stringContaining(path),
    });
  });

  it('names readMembership for a body without a membership and for one with several', async () => {
    for (const body of [
      { order: { membershipId: MEMBERSHIP } },
      { membershipId: MEMBERSHIP, data: { membershipId: OTHER } },
    ]) {
      const { check: result } = await check(JSON.stringify(body));
      expect(result('webhook-membership')).toMatchObject({
        result: 'differs',
        action: expect.stringContaining('readMembership'),
      });
    }
  });

  it('cannot check a body that is not JSON', async () => {
    const { check: result } = await check('a=1');
    expect(result('webhook-membership')?.result).toBe('not_checked');
    expect(result('webhook-signature')?.result).toBe('ok');
  });
});

it('compares the size of a body with maxBodyBytes', async () => {
  const sizeOf = async (bytes: number) => {
    const { check: result } = await check(JSON.stringify('x'.repeat(bytes - 2)));
    return result('webhook-body-size')?.result;
  };
  expect(await sizeOf(262_144)).toBe('ok');
  expect(await sizeOf(262_145)).toBe('differs');
});
