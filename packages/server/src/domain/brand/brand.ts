import { URL_MAX_LENGTH } from '@latchkey/contract/constants';
import * as z from 'zod';
import { isLoopback } from '../../platform/http/web-origin.js';

/** Look of a community, a client or the operator, as pages and mails show it. Its owner wrote it, so it is untrusted. */
export interface Brand {
  readonly name: string;
  /** `https:` address, `http:` address on a loopback host, or an image as `data:` URL. */
  readonly logoUrl: string | null;
  /** `#rrggbb` in lower case. Pages derive readable colours from it. */
  readonly accent: string | null;
}

/** Maximum length of a `data:` logo, in characters. Every page with the logo contains all of it. */
const LOGO_DATA_MAX_LENGTH = 16_384;

const LOGO_DATA = /^data:image\//i;

/** Matches characters that no address contains. PostgreSQL can't store U+0000. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Colour that a brand is recognised by, returned in lower case. */
export const accentField = z
  .string('Enter a colour such as #b4541a.')
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'Enter a colour as # and six hex digits, such as #b4541a.');

/** Address of a logo. */
export const logoUrlField = z.string('Enter an address.').superRefine((logoUrl, context) => {
  const message = logoError(logoUrl);
  if (message !== undefined) context.addIssue({ code: 'custom', message, input: logoUrl });
});

/** Logo and accent colour of a community, as its administrators choose them. */
export const brandSchema = z.object({ logoUrl: logoUrlField.nullable(), accent: accentField.nullable() });

function logoError(logoUrl: string): string | undefined {
  const isData = LOGO_DATA.test(logoUrl);
  const url = !isData && URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (UNPRINTABLE.test(logoUrl) || !(isData || isWeb)) return 'Enter an https: or data:image/ address.';
  if (url?.protocol === 'http:' && !isLoopback(url)) {
    return 'Use https, or http on a loopback address such as localhost.';
  }
  const limit = isData ? LOGO_DATA_MAX_LENGTH : URL_MAX_LENGTH;
  return logoUrl.length > limit ? `Enter an address of at most ${limit} characters.` : undefined;
}
