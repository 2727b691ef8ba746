import type { InlineImage } from './mailer.js';

/** Name by which the HTML refers to the logo. */
const LOGO_ID = 'logo';

/** Raster images, which mail programs show. Few of them show SVG. */
const DATA_IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/i;

/** Logo of a mail: the source of the image, and the image itself if the mail contains it. */
export interface MailLogo {
  readonly source: string;
  readonly image?: InlineImage;
}

/** Returns the logo as mail programs can show it; `undefined` for addresses that are neither https nor a raster image. */
export function mailLogo(logoUrl: string | null): MailLogo | undefined {
  if (logoUrl === null) return undefined;
  const [, contentType, base64] = DATA_IMAGE.exec(logoUrl) ?? [];
  if (contentType !== undefined && base64 !== undefined) {
    const image = { contentId: LOGO_ID, contentType: contentType.toLowerCase(), base64 };
    return { source: `cid:${LOGO_ID}`, image };
  }
  const url = URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  return url?.protocol === 'https:' ? { source: url.href } : undefined;
}
