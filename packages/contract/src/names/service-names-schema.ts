import * as z from 'zod';
import { DEFAULT_SERVICE_NAMES, type ServiceNames, type ServiceNamesOption } from './service-names.js';

/**
 * Validates the option `serviceNames`. Names that are not set are the spec's stand-ins. Unknown keys are rejected, because
 * a misspelled name would silently be the stand-in.
 */
export const serviceNamesOption: z.ZodType<ServiceNames, ServiceNamesOption | undefined> = z
  .strictObject({
    apiKeyPrefix: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9-]{0,30}_$/,
        'must be letters, digits and -, with _ at the end, such as acme_.',
      )
      // The spec gives these prefixes to the credentials of OAuth clients.
      .refine(
        (prefix) => !['oac_', 'ocs_'].includes(prefix),
        'must not be that of an OAuth client (oac_, ocs_).',
      )
      .default(DEFAULT_SERVICE_NAMES.apiKeyPrefix),
    headerPrefix: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9-]{0,62}-$/,
        'must be letters, digits and -, with - at the end, such as X-Acme-.',
      )
      .default(DEFAULT_SERVICE_NAMES.headerPrefix),
    messenger: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,30}$/, 'must be lower-case letters and digits, such as telegram.')
      .default(DEFAULT_SERVICE_NAMES.messenger),
  })
  .default(DEFAULT_SERVICE_NAMES);
