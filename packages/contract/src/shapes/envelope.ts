import * as z from 'zod';
import {
  described,
  objectSchemas,
  type ResponseSchemas,
  sameInBoth,
  textSchemas,
  timestampSchemas,
} from './response-schemas.js';
import { ENVELOPE_ERROR_CODES, type EnvelopeErrorCode } from './values.js';

/**
 * Wraps a payload in the response envelope (spec, "Response envelope (`BaseResponse`)"). The strict schema only accepts
 * successes; for failures, see {@link envelopeFailureSchemas}. In the loose schema every key is optional and
 * `errorCode` is any string.
 */
export function envelopeSchemas<E extends z.ZodType, T extends z.ZodType>(data: ResponseSchemas<E, T>) {
  return {
    strict: z.strictObject({
      success: z.literal(true).describe('The call succeeded.'),
      data: data.strict,
      message: z.exactOptional(z.string().min(1)).describe('For developers. Often omitted.'),
    }),
    loose: looseEnvelope(data.loose),
  };
}

/** A failure that an endpoint returns: one of these values of `errorCode`, and no `data`. */
export function envelopeFailureSchemas<const Codes extends readonly EnvelopeErrorCode[]>(errorCodes: Codes) {
  return {
    strict: z.strictObject({
      success: z.literal(false),
      errorCode: z.enum(errorCodes).describe('New values can follow, so branch on the status.'),
      message: z.string().min(1).describe('For developers, not for end users.'),
      ...traceFields,
    }),
    loose: looseEnvelope(z.unknown()),
  };
}

/** Optional fields of a failure. The service sends them only if the request contained a trace id. */
export const traceFields = {
  correlationKey: z
    .exactOptional(z.string().min(1))
    .describe('Trace id. Present only if the request contained one.'),
  logUrl: z
    .exactOptional(z.url())
    .describe('Internal link to the log. Present only if the request contained a trace id.'),
};

/** A failure with any known `errorCode`. */
export const anyEnvelopeFailureSchemas = envelopeFailureSchemas(ENVELOPE_ERROR_CODES);

function looseEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({
    success: z.boolean().optional(),
    data: data.nullish(),
    errorCode: z.string().nullish(),
    message: z.string().nullish(),
    correlationKey: z.string().nullish(),
    logUrl: z.string().nullish(),
  });
}

/**
 * Response body of a request that was rejected before its endpoint ran (spec, "Pre-endpoint rejection body"): invalid
 * key, invalid field, missing permission or role. It has no `errorCode` and no `data`.
 */
export const rejectionSchemas = objectSchemas({
  success: sameInBoth(z.literal(false)),
  message: described(textSchemas, 'For developers, not for end users.'),
  statusCode: described(sameInBoth(z.int().min(400).max(599)), 'The HTTP status.'),
  timestamp: described(timestampSchemas, 'Time of the rejection.'),
  path: described(
    { strict: z.string().regex(/^\/[^?#]*$/, 'not a path without query'), loose: z.string() },
    'The request path, without its query.',
  ),
});
