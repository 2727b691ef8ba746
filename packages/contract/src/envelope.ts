import * as z from 'zod';
import { ENVELOPE_ERROR_CODES, type EnvelopeErrorCode } from './error-code.js';
import type { ResponseSchemas } from './response-schemas.js';

/**
 * The response envelope (spec, "Response envelope (`BaseResponse`)") around one payload. The strict view is success
 * only; failures of an endpoint are {@link envelopeFailureSchemas}. In the loose view every key is optional and
 * `errorCode` is any string.
 */
export function envelopeSchemas<E extends z.ZodType, T extends z.ZodType>(data: ResponseSchemas<E, T>) {
  return {
    strict: z.strictObject({
      success: z.literal(true).describe('The call did what was asked.'),
      data: data.strict,
      message: z.exactOptional(z.string().min(1)).describe('For developers; often left out.'),
    }),
    loose: looseEnvelope(data.loose),
  };
}

/** A failure that an endpoint returned, with one of the given values of `errorCode`. Without `data`. */
export function envelopeFailureSchemas<const Codes extends readonly EnvelopeErrorCode[]>(errorCodes: Codes) {
  return {
    strict: z.strictObject({
      success: z.literal(false),
      errorCode: z.enum(errorCodes).describe('The set can grow: branch on the status.'),
      message: z.string().min(1).describe('For developers, not for end users.'),
      ...traceFields,
    }),
    loose: looseEnvelope(z.unknown()),
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
