import type { ServerOptions } from '@latchkey/server';

/** The demo's three ports and their environment variables. 0 selects a free port. */
export const DEMO_PORTS = {
  service: { port: 4400, variable: 'LATCHKEY_PORT' },
  scriptTagShop: { port: 4401, variable: 'LATCHKEY_SHOP_PORT' },
  backendShop: { port: 4402, variable: 'LATCHKEY_BACKEND_SHOP_PORT' },
} as const;

/**
 * Returns a port from the environment, or its default.
 * @throws {RangeError} if the variable's value is not a port
 */
export function readPort(
  environment: Record<string, string | undefined>,
  { port, variable }: { port: number; variable: string },
): number {
  const value = environment[variable];
  if (value === undefined || value === '') return port;
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new RangeError(
      `${variable} is "${value}", but a port is a whole number from 0 (any free one) to 65535.`,
    );
  }
  return Number(value);
}

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
