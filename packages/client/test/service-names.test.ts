import { respond } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import { ClientOptionsError, LatchkeyClient } from '../src/index.js';
import { failureOf } from './failure-of.js';
import { scriptedService } from './scripted-service.js';

const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';
const serviceNames = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
const apiKey = `acme_${'k'.repeat(43)}`;
const order = { communityId: COMMUNITY, externalOrderId: 'o', email: 'grace@example.com' };
const provisioned = respond(200, { data: { membershipId: 'm' } });

function problemsWith(options: object) {
  try {
    new LatchkeyClient({ serviceUrl: 'https://service.example', apiKey, serviceNames, ...options });
  } catch (error) {
    if (error instanceof ClientOptionsError) return error.problems;
    throw error;
  }
  return [];
}

describe('the option serviceNames', () => {
  it('replaces the messenger in paths, and in the field of a provisioning', async () => {
    const service = await scriptedService(
      respond(200, { data: { isActive: false } }),
      respond(200, { data: { link: 'https://chat.example' } }),
      provisioned,
    );
    const client = service.client({ apiKey, serviceNames });
    await client.checkMessenger({ communityId: COMMUNITY, messengerUserId: 1001 });
    await client.inviteLink({ externalId: 'buyer/7' });
    await client.provisionExternal({ ...order, messengerUserId: 1001 });
    const [check, invite, provision] = service.seen;
    expect(check?.url).toBe(`/membership/check-telegram/${COMMUNITY}/1001`);
    expect(invite?.url).toBe('/membership/join-telegram-community-external/buyer%2F7');
    expect(provision?.url).toBe('/membership/provision-external');
    expect(JSON.parse(String(provision?.body))).toEqual({ ...order, telegramUserId: 1001 });
    expect(check?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it('replaces the endpoint in errors', async () => {
    const service = await scriptedService(respond(404, { success: false, errorCode: 'not_found' }));
    const client = service.client({ apiKey, serviceNames });
    const error = await failureOf(client.inviteLink({ externalId: 'x' }));
    expect(error.endpoint).toBe('GET /membership/join-telegram-community-external/{externalId}');
    expect(error.message).toContain('join-telegram-community-external');
    expect(error.report).toContain(`${service.url}/membership/join-telegram-community-external/x`);
    const check = client.checkMessenger({ communityId: COMMUNITY, messengerUserId: 0 });
    expect((await failureOf(check)).message).toMatch(
      /^GET \/membership\/check-telegram\/\{communityId\}\/\{telegramUserId\} was not called: messengerUserId must/,
    );
  });

  it('keeps the names of the spec that it does not replace', async () => {
    const service = await scriptedService(provisioned);
    const client = service.client({ serviceNames: { messenger: 'telegram', headerPrefix: undefined } });
    await client.provisionExternal(order);
    expect(service.seen).toHaveLength(1);
  });

  it.each([
    ['svc_k', /must begin with acme_/],
    ['oac_k', /An API key begins with acme_/],
    ['acme_ key', /must be acme_ followed by printable ASCII/],
    [undefined, /is required: acme_…/],
  ])('replaces the prefix of API keys: %s is rejected', (key, message) => {
    const problems = problemsWith({ apiKey: key });
    expect(problems).toEqual([{ option: 'apiKey', message: expect.stringMatching(message) }]);
    expect(JSON.stringify(problems)).not.toContain('svc_');
  });

  it('accepts a prefix with characters that have a meaning in patterns', () => {
    expect(problemsWith({ serviceNames: { apiKeyPrefix: 'a-b_' }, apiKey: 'a-b_key' })).toEqual([]);
  });

  it.each([
    ['serviceNames.messenger', { messenger: 'Telegram' }, /lower-case/],
    ['serviceNames.apiKeyPrefix', { apiKeyPrefix: 'acme' }, /_ at the end/],
    ['serviceNames.headerPrefix', { headerPrefix: 'X Acme' }, /- at the end/],
    ['serviceNames.messager', { messager: 'telegram' }, /is not an option/],
    ['serviceNames', 'telegram', /object/],
  ])('is rejected with the name %s and a fix: %o', (option, names, message) => {
    const problems = problemsWith({ serviceNames: names });
    expect(problems).toEqual([{ option, message: expect.stringMatching(message) }]);
  });
});
