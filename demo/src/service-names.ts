import type { ServerOptions } from '@latchkey/server';

/** Environment variable with the names of the service, as one JSON object. */
export const SERVICE_NAMES_VARIABLE = 'LATCHKEY_SERVICE_NAMES';

/**
 * Returns the names of the service from the environment. The service checks them when it starts.
 * @throws {RangeError} if the variable's value is not JSON
 */
export function readServiceNames(
  environment: Record<string, string | undefined>,
): Pick<ServerOptions, 'serviceNames'> {
  const value = environment[SERVICE_NAMES_VARIABLE] ?? '';
  if (value === '') return {};
  try {
    return { serviceNames: JSON.parse(value) as NonNullable<ServerOptions['serviceNames']> };
  } catch {
    throw new RangeError(
      `${SERVICE_NAMES_VARIABLE} is ${value}, but it must be a JSON object such as {"apiKeyPrefix":"acme_","headerPrefix":"X-Acme-","messenger":"telegram"}.`,
    );
  }
}
