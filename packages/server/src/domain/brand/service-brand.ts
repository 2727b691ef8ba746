import * as z from 'zod';
import { nameField } from '../fields/name.js';
import { accentField, type Brand, logoUrlField } from './brand.js';

/** Brand of a service whose operator chose none. */
export const DEFAULT_BRAND: Brand = { name: 'Latchkey', logoUrl: null, accent: null };

/** Brand that the operator gives the service. Pages and mails show it wherever they name the service. */
export interface ServiceBrand {
  /**
   * Name of the service: up to 200 characters on one line.
   *
   * @default 'Latchkey'
   */
  name?: string | undefined;
  /**
   * Logo in the header of each page: an https address, http on a loopback address, or an image as data URL.
   *
   * @default a key
   */
  logoUrl?: string | undefined;
  /**
   * Colour of buttons and links: `#rrggbb`. Pages darken or lighten it until texts are readable.
   *
   * @default green
   */
  accent?: string | undefined;
}

const serviceBrandSchema = z.strictObject({
  name: nameField.default(DEFAULT_BRAND.name),
  logoUrl: logoUrlField.optional(),
  accent: accentField.optional(),
});

/**
 * Parses the option `brand`.
 *
 * @throws Error that lists every invalid field with its value.
 */
export function parseServiceBrand(brand: ServiceBrand = {}): Brand {
  const parsed = serviceBrandSchema.safeParse(brand);
  if (parsed.success) {
    const { name, logoUrl = null, accent = null } = parsed.data;
    return { name, logoUrl, accent };
  }
  const errors = parsed.error.issues.map(({ path, message }) => {
    const field = String(path[0] ?? '');
    const value = (brand as Readonly<Record<string, unknown>>)[field];
    return `${field}: ${message}${value === undefined ? '' : ` Received ${JSON.stringify(value)}.`}`;
  });
  throw new Error(`Option "brand" is invalid. ${errors.join(' ')}`);
}
