import { describe, expect } from 'vitest';
import { authorizePath, publicRequest } from './authorization-flow.js';
import { it as base, PUBLIC, type ServiceUnderTest } from './service-under-test.js';

// A process limits its log lines, so each test has one of its own.
const it = base.extend({ isAlone: true });

const UNKNOWN = `oac_${'0'.repeat(24)}`;

/** Log lines about rejected authorization requests. */
function rejections({ log }: ServiceUnderTest) {
  return log
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ message }) => message?.startsWith('Authorization rejected'));
}

describe('the log of authorize', () => {
  it('names an unknown client and an unregistered redirect URI, with the setting', async ({ service }) => {
    await service.request(authorizePath(publicRequest(service, { client_id: UNKNOWN })));
    const redirect_uri = 'https://user:secret@shop.example/callback?token=secret';
    await service.request(authorizePath(publicRequest(service, { redirect_uri })));
    const [client, uri] = rejections(service);
    expect(client).toMatchObject({ clientId: UNKNOWN, setting: 'client id' });
    expect(uri).toMatchObject({
      clientId: PUBLIC,
      redirectUri: 'https://shop.example/callback',
      setting: 'redirect URIs',
    });
    expect(uri?.advice).toContain('redirect URIs');
    expect(JSON.stringify(uri)).not.toContain('secret');
  });

  it('contains no line breaks of a caller, no long texts, and a limited number of lines', async ({
    service,
  }) => {
    const client_id = `x\r\n\u2028\u001b[31m{"level":"error"}${'x'.repeat(5_000)}`;
    for (let request = 0; request < 30; request += 1) {
      await service.request(authorizePath(publicRequest(service, { client_id })));
    }
    const lines = rejections(service);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines[0]?.clientId).toMatch(/^[^\p{Cc}\p{Z}]{1,200}$/u);
    service.clock.advance(60_000);
    await service.request(authorizePath(publicRequest(service, { client_id })));
    expect(rejections(service).at(-1)).toMatchObject({ omittedBefore: 20 });
  });
});
