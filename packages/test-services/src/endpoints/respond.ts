import type { FakeRequest } from '../messages/fake-request.js';
import type { OAuthError } from '../messages/oauth-error.js';
import { rejectionBody } from '../messages/rejection.js';
import type { EndpointContext } from './endpoint-context.js';

type Context = Pick<EndpointContext, 'reading' | 'clock'>;

/** Returns the response with an OAuth error. */
export function respondOAuthError(
  { reading }: Pick<Context, 'reading'>,
  { status, error, error_description: description }: OAuthError,
): Response {
  const described =
    description === undefined ? {} : { error_description: reading.description(error, description) };
  return reading.json({ error, ...described }, status);
}

/** Returns the response to a request that is rejected before its endpoint runs. */
export function respondRejection(
  { reading, clock }: Context,
  { path }: Pick<FakeRequest, 'path'>,
  { status, message }: { status: number; message: string },
): Response {
  return reading.json(rejectionBody({ status, message, path, at: clock.now() }), status);
}

/** Returns the envelope of a failure that an endpoint reports. */
export function respondFailure(
  { reading }: Pick<Context, 'reading'>,
  { status, errorCode, message }: { status: number; errorCode: string; message: string },
): Response {
  return reading.json({ success: false, errorCode, message }, status);
}

/** Returns the envelope of a success. */
export function respondSuccess(
  { reading }: Pick<Context, 'reading'>,
  { status, data }: { status: 200 | 201; data: object },
): Response {
  return reading.json(reading.success(data), status);
}
