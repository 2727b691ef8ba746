import { ENDPOINTS, endpointsOf, serviceNamesOption } from '@latchkey/contract';
import {
  DEFAULT_SERVICE_NAMES,
  PATHS,
  pathsOf,
  WEBHOOK_HEADERS,
  webhookHeadersOf,
  withServiceNames,
} from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { rejectedPaths } from './schema-checks.js';

const ACME = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
const communityId = '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90';

describe('the names of a service', () => {
  it('are by default the stand-ins of the spec', () => {
    expect(serviceNamesOption.parse(undefined)).toEqual(DEFAULT_SERVICE_NAMES);
    expect(serviceNamesOption.parse({ messenger: 'telegram' })).toEqual({
      ...DEFAULT_SERVICE_NAMES,
      messenger: 'telegram',
    });
    expect(pathsOf(DEFAULT_SERVICE_NAMES)).toEqual(PATHS);
    expect(webhookHeadersOf(DEFAULT_SERVICE_NAMES)).toEqual(WEBHOOK_HEADERS);
    expect(endpointsOf(DEFAULT_SERVICE_NAMES)).toEqual(ENDPOINTS);
  });

  it('change two paths, and the parameter in one of them', () => {
    expect(pathsOf(ACME)).toEqual({
      ...PATHS,
      inviteLink: '/membership/join-telegram-community-external/{externalId}',
      checkMessenger: '/membership/check-telegram/{communityId}/{telegramUserId}',
    });
  });

  it('change the headers of webhooks', () => {
    expect(webhookHeadersOf(ACME)).toEqual({
      signature: 'X-Acme-Signature',
      eventType: 'X-Acme-Event-Type',
      eventId: 'X-Acme-Event-Id',
    });
  });

  it('change the messenger field of a provisioning, whose parsed form stays the same', () => {
    const { body } = endpointsOf(ACME).provisionExternal.request;
    const order = { communityId, externalOrderId: 'order-1' };
    expect(body.parse({ ...order, telegramUserId: 7 })).toMatchObject({ ...order, messengerUserId: 7 });
    expect(body.parse({ ...order, email: 'ada@example.com' })).not.toHaveProperty('telegramUserId');
    expect(rejectedPaths(body, { ...order, telegramUserId: 0 })).toEqual(['telegramUserId']);
    expect(rejectedPaths(body, { ...order, messengerUserId: 7 })).toEqual(['email']);
    const { error } = body.safeParse(order);
    expect(error?.issues[0]?.message).toBe('email or telegramUserId is required');
    const { properties } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
    expect(Object.keys(properties ?? {})).toContain('telegramUserId');
    expect(Object.keys(properties ?? {})).not.toContain('messengerUserId');
  });

  it('change the path parameter of the messenger check', () => {
    const { path } = endpointsOf(ACME).checkMessenger.request;
    expect(path.parse({ communityId, telegramUserId: '7' })).toEqual({ communityId, messengerUserId: 7 });
    expect(rejectedPaths(path, { communityId, telegramUserId: 'seven' })).toEqual(['telegramUserId']);
  });

  it.each([
    [{ apiKeyPrefix: 'acme' }, 'apiKeyPrefix'],
    [{ apiKeyPrefix: '' }, 'apiKeyPrefix'],
    [{ apiKeyPrefix: 'ocs_' }, 'apiKeyPrefix'],
    [{ headerPrefix: 'X-Acme' }, 'headerPrefix'],
    [{ headerPrefix: 'X Acme-' }, 'headerPrefix'],
    [{ messenger: 'Telegram' }, 'messenger'],
    [{ messenger: 'tele/gram' }, 'messenger'],
    [{ messenger: '' }, 'messenger'],
    [{ messengers: 'telegram' }, ''],
    ['acme', ''],
    [null, ''],
  ])('reject %j', (given, path) => {
    expect(rejectedPaths(serviceNamesOption, given)).toEqual([path]);
  });

  it('replace the stand-ins in texts, and no other words', () => {
    const text =
      'svc_… X-Svc-Event-Id `messengerUserId` GET /membership/check-messenger/ join-messenger-community the messenger';
    expect(withServiceNames(text, ACME)).toBe(
      'acme_… X-Acme-Event-Id `telegramUserId` GET /membership/check-telegram/ join-telegram-community the messenger',
    );
    expect(withServiceNames(text, DEFAULT_SERVICE_NAMES)).toBe(text);
  });
});
