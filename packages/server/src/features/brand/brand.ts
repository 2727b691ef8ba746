import { isLoopback, URL_MAX_LENGTH } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { t } from '../../platform/language/language.js';
import { nameField } from '../fields/fields.js';

/** Branding of a community, a client or the operator. It's supplied by its owner, so treat it as untrusted input. */
export interface Brand {
  readonly name: string;
  /** An `https:` URL, an `http:` URL on a loopback host, or an image as `data:` URL. */
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. Pages derive readable colours from it. */
  readonly accent: string | null;
}

/** Maximum length of a `data:` logo, in characters. Every page that shows the logo contains all of it. */
const LOGO_DATA_MAX_LENGTH = 16_384;

const LOGO_DATA = /^data:image\//i;

/** Matches characters that no URL contains. PostgreSQL can't store U+0000. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

export const accentField = z
  .string({ error: () => t('Enter a colour such as #b4541a.') })
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: () => t('Enter a colour as # and six hex digits, such as #b4541a.') });

export const logoUrlField = z.string('Enter an address.').superRefine((logoUrl, context) => {
  const message = logoError(logoUrl);
  if (message !== undefined) context.addIssue({ code: 'custom', message, input: logoUrl });
});

export const BRAND = {
  logoUrl: {
    schema: logoUrlField,
    label: 'Logo',
    about: 'Logo: an https address, or a small image as data URL.',
    isOptional: true,
  },
  accent: {
    schema: accentField,
    label: 'Accent colour',
    about: 'Colour of its pages, such as #b4541a.',
    isOptional: true,
  },
} as const;

export const brandSchema = z.object({ logoUrl: logoUrlField.nullable(), accent: accentField.nullable() });

function logoError(logoUrl: string): string | undefined {
  const isData = LOGO_DATA.test(logoUrl);
  const url = !isData && URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (UNPRINTABLE.test(logoUrl) || !(isData || isWeb)) return t('Enter an https: or data:image/ address.');
  if (url?.protocol === 'http:' && !isLoopback(url)) {
    return t('Use https, or http on a loopback address such as localhost.');
  }
  const max = isData ? LOGO_DATA_MAX_LENGTH : URL_MAX_LENGTH;
  return logoUrl.length > max
    ? t('Enter an address of at most {max} characters.', { max: String(max) })
    : undefined;
}

export const DEFAULT_BRAND: Brand = { name: 'Latchkey', logoUrl: null, accent: null };

/** The operator's brand for the service. It appears wherever pages and mails mention the service. */
export interface ServiceBrand {
  /** Name of the service: up to 200 characters on one line. @default 'Latchkey' */
  name?: string | undefined;
  /**
   * Logo in the header of each page: an https URL, an http URL on a loopback host, or an image as data URL.
   *
   * @default a key
   */
  logoUrl?: string | undefined;
  /** Colour of buttons and links: `#rrggbb`. Pages darken or lighten it until text is readable. @default green */
  accent?: string | undefined;
}

const serviceBrandSchema = z.strictObject({
  name: nameField.default(DEFAULT_BRAND.name),
  logoUrl: logoUrlField.optional(),
  accent: accentField.optional(),
});

/** @throws Error that lists every invalid field of the option `brand` with its value. */
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

const brandOfCommunity = prepareQuery((db, values: { communityId: string }) =>
  db
    .selectFrom('communities')
    .select(['name', 'logo_url as logoUrl', 'accent'])
    .where('id', '=', values.communityId),
);

export async function communityBrand(db: Database, communityId: string): Promise<Brand | undefined> {
  return await brandOfCommunity.first(db, { communityId });
}
