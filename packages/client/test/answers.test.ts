import { gzipSync } from 'node:zlib';
import { endlessResponses, respond, respondUnfinished, type Script } from '@latchkey/test-services';
import { describe, expect, it } from 'vitest';
import { ANSWER_MAX_BYTES } from '../src/call/answer.js';
import type { LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { scriptedService } from './scripted-service.js';

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
    const service = await scriptedService(
      respond(200, { data }),
      respond(202, { success: true, data, message: 7, logUrl: {}, extra: [] }),
      respond(409, { success: false, errorCode: 'quota_exceeded', surprise: 1 }),
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
    const service = await scriptedService(respond(200, { data: { isActive: false } }));
    expect(await check(service.client())).toEqual({ isActive: false, membershipId: null });
  });

  it.each([
    ['success false', { success: false, data: { isActive: true, membershipId: 'm' } }],
    ['an errorCode and no data', { errorCode: 'not_found' }],
  ])('with %s is a failure also as a 200 [envelope.failure-inside-success]', async (_what, body) => {
    const service = await scriptedService(respond(200, body));
    expect(await failureOf(check(service.client()))).toMatchObject({
      code: 'failed_in_success',
      status: 200,
    });
  });

  it.each<[string, Script, RegExp]>([
    ['a page', respond(200, '<h1>Welcome</h1>'), /no JSON object.*proxy/],
    ['a page with another status', respond(403, '<h1>Blocked</h1>'), /\(403\).*no JSON object/],
    ['nothing', respond(200), /no JSON object/],
    ['204', respond(204), /no JSON object/],
    ['a list', respond(200, []), /no JSON object/],
    ['half a JSON', respond(200, '{"success":true,"data":'), /no JSON object/],
    ['bytes that are no UTF-8', respond(200, Buffer.from([0x7b, 0xff, 0x7d])), /no JSON object/],
    ['no data', respond(200, { success: true }), /data is missing or malformed/],
    ['a field of another type', respond(200, { data: { isActive: 'true' } }), /data\.isActive/],
    ['a prototype', respond(200, '{"data":{"__proto__":{"isActive":true}}}'), /data\.isActive/],
  ])('that is %s is unreadable, and not asked for again', async (_what, script, message) => {
    const service = await scriptedService(script);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', attempts: 1, outcomeUnknown: false });
    expect(error.message).toMatch(message);
  });

  it('that cannot be read leaves open what was done, unless it is a 4xx', async () => {
    const service = await scriptedService(respond(200, 'ok'), respond(302), respond(403, 'no'));
    const client = service.client();
    const unknown = [];
    for (let call = 0; call < 3; call += 1) unknown.push((await failureOf(provision(client))).outcomeUnknown);
    expect(unknown).toEqual([true, true, false]);
  });

  it('of a proxy that gives a 5xx page is a failure by its status [general.branch-on-status]', async () => {
    const service = await scriptedService(respond(502, '<h1>Bad gateway</h1>'));
    expect(await failureOf(check(service.client({ maxRetries: 0 })))).toMatchObject({
      code: 'failed',
      status: 502,
    });
  });

  it.each([301, 302, 303, 307, 308])(
    'that is a redirect (%i) is not followed, the key least of all',
    async (status) => {
      const elsewhere = await scriptedService(respond(200, { data: { isActive: true } }));
      const service = await scriptedService(respond(status, '', { location: elsewhere.url }));
      const error = await failureOf(check(service.client()));
      expect(error).toMatchObject({ code: 'unreadable_answer', status, attempts: 1 });
      expect(error.message).toMatch(/redirect.*Is serviceUrl the final address/);
      expect(elsewhere.seen).toEqual([]);
    },
  );

  const huge = `{"data":"${'x'.repeat(ANSWER_MAX_BYTES)}"}`;
  it.each<[string, Script]>([
    ['by what it announces', respondUnfinished('{', { 'content-length': '99999999' })],
    ['by what it sends', respond(200, huge)],
    ['once it is unpacked', respond(200, gzipSync(huge), { 'content-encoding': 'gzip' })],
    ['by what it never stops to send', endlessResponses().script],
  ])('that is too large %s is given up', async (_what, script) => {
    const service = await scriptedService(script);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 200, attempts: 1 });
    expect(error.message).toContain(`more than ${ANSWER_MAX_BYTES} bytes`);
  });
});
