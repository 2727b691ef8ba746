import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ANSWER_MAX_BYTES } from '../src/answer.js';
import type { LatchkeyClient } from '../src/index.js';
import { answering, breakService, type Misbehaviour } from './broken-service.js';
import { failureOf } from './failure-of.js';

const check = (client: LatchkeyClient) => client.checkMessenger({ communityId: 'c', messengerUserId: 1001 });
const provision = (client: LatchkeyClient) =>
  client.provisionExternal({ communityId: 'c', externalOrderId: 'o', email: 'grace@example.com' });

describe('an answer', () => {
  it('may have fields, values and an envelope that nobody knew of [versioning.ignore-unknown-fields] [envelope.every-key-optional] [envelope.error-code-set-grows]', async () => {
    const data = {
      membershipId: 'm',
      userId: 'u',
      validFrom: '2026-06-12T14:05:00.000Z',
      validUntil: null,
      status: 'merged',
      tier: { name: 'gold' },
    };
    const service = await breakService(
      answering(200, { data }),
      answering(202, { success: true, data, message: 7, logUrl: {}, extra: [] }),
      answering(409, { success: false, errorCode: 'quota_exceeded', surprise: 1 }),
    );
    const client = service.client();
    expect(await provision(client)).toEqual(data);
    expect(await provision(client)).toEqual(data);
    expect(await failureOf(provision(client))).toMatchObject({
      code: 'failed',
      status: 409,
      errorCode: 'quota_exceeded',
    });
  });

  it('takes what is left out for null, where null means that there is none', async () => {
    const service = await breakService(answering(200, { data: { isActive: false } }));
    expect(await check(service.client())).toEqual({ isActive: false, membershipId: null });
  });

  it.each([
    ['success false', { success: false, data: { isActive: true, membershipId: 'm' } }],
    ['an errorCode and no data', { errorCode: 'not_found' }],
  ])('with %s is a failure also as a 200 [envelope.failure-inside-success]', async (_what, body) => {
    const service = await breakService(answering(200, body));
    expect(await failureOf(check(service.client()))).toMatchObject({
      code: 'failed_in_success',
      status: 200,
    });
  });

  it.each<[string, Misbehaviour, RegExp]>([
    ['a page', answering(200, '<h1>Welcome</h1>'), /no JSON object.*proxy/],
    ['a page with another status', answering(403, '<h1>Blocked</h1>'), /\(403\).*no JSON object/],
    ['nothing', answering(200), /no JSON object/],
    ['204', answering(204), /no JSON object/],
    ['a list', answering(200, []), /no JSON object/],
    ['half a JSON', answering(200, '{"success":true,"data":'), /no JSON object/],
    [
      'bytes that are no UTF-8',
      (response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])),
      /no JSON object/,
    ],
    ['no data', answering(200, { success: true }), /data is missing or malformed/],
    ['a field of another type', answering(200, { data: { isActive: 'true' } }), /data\.isActive/],
    ['a prototype', answering(200, '{"data":{"__proto__":{"isActive":true}}}'), /data\.isActive/],
  ])('that is %s is unreadable, and not asked for again', async (_what, misbehaviour, message) => {
    const service = await breakService(misbehaviour);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', attempts: 1, outcomeUnknown: false });
    expect(error.message).toMatch(message);
  });

  it('that cannot be read leaves open what was done, unless it is a 4xx', async () => {
    const service = await breakService(answering(200, 'ok'), answering(302), answering(403, 'no'));
    const client = service.client();
    const unknown = [];
    for (let call = 0; call < 3; call += 1) unknown.push((await failureOf(provision(client))).outcomeUnknown);
    expect(unknown).toEqual([true, true, false]);
  });

  it('of a proxy that gives a 5xx page is a failure by its status [general.branch-on-status]', async () => {
    const service = await breakService(answering(502, '<h1>Bad gateway</h1>'));
    expect(await failureOf(check(service.client({ maxRetries: 0 })))).toMatchObject({
      code: 'failed',
      status: 502,
    });
  });

  it.each([301, 302, 303, 307, 308])(
    'that is a redirect (%i) is not followed, the key least of all',
    async (status) => {
      const elsewhere = await breakService(answering(200, { data: { isActive: true } }));
      const service = await breakService(answering(status, '', { location: elsewhere.url }));
      const error = await failureOf(check(service.client()));
      expect(error).toMatchObject({ code: 'unreadable_answer', status, attempts: 1 });
      expect(error.message).toMatch(/redirect.*Is serviceUrl the final address/);
      expect(elsewhere.seen).toEqual([]);
    },
  );

  const huge = `{"data":"${'x'.repeat(ANSWER_MAX_BYTES)}"}`;
  it.each<[string, Misbehaviour]>([
    [
      'by what it announces',
      (response) => response.writeHead(200, { 'content-length': '99999999' }).write('{'),
    ],
    ['by what it sends', (response) => void response.writeHead(200).end(huge)],
    [
      'once it is unpacked',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(huge)),
    ],
    [
      'by what it never stops to send',
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('that is too large %s is given up', async (_what, misbehaviour) => {
    const service = await breakService(misbehaviour);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 200, attempts: 1 });
    expect(error.message).toContain(`more than ${ANSWER_MAX_BYTES} bytes`);
  });
});
