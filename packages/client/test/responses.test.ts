import { gzipSync } from 'node:zlib';
import {
  endlessResponses,
  respond,
  respondUnfinished,
  type Script,
} from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import { RESPONSE_MAX_BYTES } from '../src/call/attempt.js';
import type { LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { scriptedService } from './scripted-service.js';

const check = (client: LatchkeyClient) => client.checkMessenger({ communityId: 'c', messengerUserId: 1001 });
const provision = (client: LatchkeyClient) =>
  client.provisionExternal({ communityId: 'c', externalOrderId: 'o', email: 'grace@example.com' });

describe('a response', () => {
  it('can have unknown fields and values, and an incomplete envelope', {
    tags: [
      'versioning.ignore-unknown-fields',
      'envelope.every-key-optional',
      'envelope.error-code-set-grows',
    ],
  }, async () => {
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

  it('has null for an absent optional value', async () => {
    const service = await scriptedService(respond(200, { data: { isActive: false } }));
    expect(await check(service.client())).toEqual({ isActive: false, membershipId: null });
  });

  it.each([
    ['success false', { success: false, data: { isActive: true, membershipId: 'm' } }],
    ['an errorCode and no data', { errorCode: 'not_found' }],
  ])(
    'with %s is a failure also as a 200',
    { tags: ['envelope.failure-inside-success'] },
    async (_name, body) => {
      const service = await scriptedService(respond(200, body));
      expect(await failureOf(check(service.client()))).toMatchObject({
        code: 'failed_in_success',
        status: 200,
      });
    },
  );

  it.each<[string, Script, RegExp]>([
    ['an HTML page', respond(200, '<h1>Welcome</h1>'), /not a JSON object.*proxy/],
    ['an HTML page with another status', respond(403, '<h1>Blocked</h1>'), /\(403\).*not a JSON object/],
    ['an empty body', respond(200), /not a JSON object/],
    ['a 204', respond(204), /not a JSON object/],
    ['an array', respond(200, []), /not a JSON object/],
    ['JSON that ends early', respond(200, '{"success":true,"data":'), /not a JSON object/],
    ['bytes that are not UTF-8', respond(200, Buffer.from([0x7b, 0xff, 0x7d])), /not a JSON object/],
    ['no data', respond(200, { success: true }), /data is missing or malformed/],
    ['a field of another type', respond(200, { data: { isActive: 'true' } }), /data\.isActive/],
    ['a __proto__ key', respond(200, '{"data":{"__proto__":{"isActive":true}}}'), /data\.isActive/],
  ])('with %s is unreadable, and the call is not retried', async (_name, script, message) => {
    const service = await scriptedService(script);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', attempts: 1, outcomeUnknown: false });
    expect(error.message).toMatch(message);
  });

  it.each([404, 409, 412, 418, 422])(
    'with status %i is a failure of the endpoint also without an errorCode',
    { tags: ['envelope.every-key-optional'] },
    async (status) => {
      for (const body of [{}, { success: false, message: 'Not yet.' }, { errorCode: null, data: null }]) {
        const service = await scriptedService(respond(status, body));
        const error = await failureOf(provision(service.client()));
        expect(error).toMatchObject({ code: 'failed', status });
        expect(error.message.includes('serviceUrl')).toBe(status === 404);
      }
    },
  );

  it.each([404, 405, 409, 415])(
    'with status %i and the body of a rejection is a rejection',
    { tags: ['rejection.status-code'] },
    async (status) => {
      for (const body of [
        { statusCode: status, message: 'No.' },
        { success: false, path: '/membership' },
      ]) {
        const service = await scriptedService(respond(status, body));
        expect(await failureOf(provision(service.client()))).toMatchObject({ code: 'rejected', status });
      }
    },
  );

  it.each([400, 401, 403])(
    'with status %i and no errorCode is a rejection, whatever else it lacks',
    async (status) => {
      const service = await scriptedService(respond(status, {}));
      expect(await failureOf(provision(service.client()))).toMatchObject({ code: 'rejected', status });
    },
  );

  it.each(['', 'application/json; charset=utf-8', 'text/json', 'text/html', 'application/octet-stream'])(
    'can have the content type "%s"',
    async (type) => {
      const body = '\ufeff{"data":{"isActive":true}}';
      const service = await scriptedService(respond(200, body, { 'content-type': type }));
      expect(await check(service.client())).toEqual({ isActive: true, membershipId: null });
    },
  );

  it('that is unreadable has an unknown outcome, except for a 4xx', async () => {
    const service = await scriptedService(respond(200, 'ok'), respond(302), respond(403, 'no'));
    const client = service.client();
    const unknown = [];
    for (let call = 0; call < 3; call += 1) unknown.push((await failureOf(provision(client))).outcomeUnknown);
    expect(unknown).toEqual([true, true, false]);
  });

  it('of a proxy with a 5xx page is a failure by its status', {
    tags: ['general.branch-on-status'],
  }, async () => {
    const service = await scriptedService(respond(502, '<h1>Bad gateway</h1>'));
    expect(await failureOf(check(service.client({ maxRetries: 0 })))).toMatchObject({
      code: 'failed',
      status: 502,
    });
  });

  it.each([301, 302, 303, 307, 308])(
    'that is a redirect (%i) is not followed, so that the key stays at the service',
    async (status) => {
      const elsewhere = await scriptedService(respond(200, { data: { isActive: true } }));
      const service = await scriptedService(respond(status, '', { location: elsewhere.url }));
      const error = await failureOf(check(service.client()));
      expect(error).toMatchObject({ code: 'unreadable_answer', status, attempts: 1 });
      expect(error.message).toMatch(/redirect.*Check that serviceUrl is the final address/);
      expect(elsewhere.seen).toEqual([]);
    },
  );

  const huge = `{"data":"${'x'.repeat(RESPONSE_MAX_BYTES)}"}`;
  it.each<[string, Script]>([
    ['according to content-length', respondUnfinished('{', { 'content-length': '99999999' })],
    ['in its body', respond(200, huge)],
    ['after decompression', respond(200, gzipSync(huge), { 'content-encoding': 'gzip' })],
    ['because it never ends', endlessResponses().script],
  ])('that is too large %s is cancelled', async (_name, script) => {
    const service = await scriptedService(script);
    const error = await failureOf(check(service.client()));
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 200, attempts: 1 });
    expect(error.message).toContain(`more than ${RESPONSE_MAX_BYTES} bytes`);
  });
});
