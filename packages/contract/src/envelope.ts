import * as z from 'zod';
import { ENVELOPE_ERROR_CODES, type EnvelopeErrorCode } from './error-code.js';
import type { Views } from './response-views.js';

/**
 * The response envelope (spec, "Response envelope (`BaseResponse`)") around one payload. The exact view is success
 * only; failures of an endpoint are {@link envelopeFailureViews}. In the tolerant view every key is optional and
 * `errorCode` is any string.
 */
export function envelopeViews<E extends z.ZodType, T extends z.ZodType>(data: Views<E, T>) {
  return {
    exact: z.strictObject({
      success: z.literal(true).describe('The call did what was asked.'),
      data: data.exact,
      message: z.exactOptional(z.string().min(1)).describe('For developers; often left out.'),
    }),
    tolerant: tolerantEnvelope(data.tolerant),
  };
}

/** A failure that an endpoint returned, with one of the given values of `errorCode`. Without `data`. */
export function envelopeFailureViews<const Codes extends readonly EnvelopeErrorCode[]>(errorCodes: Codes) {
  return {
    exact: z.strictObject({
      success: z.literal(false),
      errorCode: z.enum(errorCodes).describe('The set can grow: branch on the status.'),
      message: z.string().min(1).describe('For developers, not for end users.'),
      ...traceFields,
    }),
    tolerant: tolerantEnvelope(z.unknown()),
  };
}

/** Present on failures only, and only when the request carried a trace id. */
export const traceFields = {
  correlationKey: z
    .exactOptional(z.string().min(1))
    .describe('Trace id; present when the request carried one.'),
  logUrl: z.exactOptional(z.url()).describe('Internal log link; same presence rule.'),
};

/** Any failure that an endpoint returns. */
export const anyEnvelopeFailureViews = envelopeFailureViews(ENVELOPE_ERROR_CODES);

/** A failure as the service emits it. */
export type EnvelopeFailure = z.output<typeof anyEnvelopeFailureViews.exact>;

/** An envelope as a caller reads it: nothing in it can be relied on. */
export type ReceivedEnvelope = z.output<typeof anyEnvelopeFailureViews.tolerant>;

function tolerantEnvelope<Data extends z.ZodType>(data: Data) {
  return z.looseObject({
    success: z.boolean().optional(),
    data: data.nullish(),
    errorCode: z.string().nullish(),
    message: z.string().nullish(),
    correlationKey: z.string().nullish(),
    logUrl: z.string().nullish(),
  });
}
