import * as z from 'zod';
import { serviceNames } from '../command-line/service-names-value.js';
import { databaseUrl, serviceOrigin } from '../command-line/service-values.js';

const SERVICE = 'Service';

/** Settings that every operation has. */
export const adminSettings = z.object({
  database: databaseUrl.meta({ group: SERVICE }),
  serviceNames: serviceNames
    .exactOptional()
    .meta({ group: SERVICE, defaultText: 'the names that the database has' }),
  json: z
    .boolean()
    .default(false)
    .meta({ group: SERVICE, description: 'Print the result, or the error, as one line of JSON.' }),
});

/** Settings of the operations that need the service's origin. */
export const adminSettingsWithBaseUrl = z.object({
  ...adminSettings.shape,
  baseUrl: serviceOrigin.meta({
    group: SERVICE,
    description: 'Origin of the service as browsers see it, the same as for "latchkey serve".',
  }),
});
