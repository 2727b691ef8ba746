import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exchangeCode, OAuthClientError } from '@latchkey/oauth';
import { expect, it, onTestFinished } from 'vitest';
import { localhostCertificate } from '../../../scripts/localhost-certificate.mjs';
import { failureDetails } from '../src/platform/service-failure.js';

it('logs the error of the service, truncated', () => {
  const errorDescription = 'x'.repeat(900_000);
  const error = new OAuthClientError('invalid_request', `It answered 400: ${errorDescription}`, {
    status: 400,
    error: 'invalid_request',
    errorDescription,
  });
  const details = failureDetails(error);
  expect(details).toMatchObject({ code: 'invalid_request', status: 400, error: 'invalid_request' });
  expect(JSON.stringify(details).length).toBeLessThan(2_000);
  expect(failureDetails(new Error('y'.repeat(900_000))).message).toMatch(/^y{500}…$/);
  expect(failureDetails(new Error('short'))).toEqual({ message: 'short' });
});

it('logs why the service cannot be reached, and what to change', async () => {
  const server = createServer(localhostCertificate);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const serviceUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const error = await exchangeCode(
    { serviceUrl, clientId: 'oac_a1b2c3d4e5f60718293a4b5c', clientSecret: 'ocs_1' },
    { code: 'c', redirectUri: 'r', codeVerifier: 'v' },
  ).catch((thrown: unknown) => thrown);
  expect(failureDetails(error)).toMatchObject({
    code: 'network',
    message: expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)'),
    reason: 'its TLS certificate is not from a trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT)',
    advice: expect.stringContaining('NODE_EXTRA_CA_CERTS='),
  });
});
