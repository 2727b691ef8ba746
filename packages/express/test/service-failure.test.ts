import { OAuthClientError } from '@latchkey/oauth';
import { expect, it } from 'vitest';
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
