const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * The address of a client's logo when it may stand in an `<img>`: `https:`, `http:`, or an image as `data:`.
 * Everything else is left out, so that what a client registers can never be more than a picture.
 */
export function safeLogoUrl(logoUrl: string | null | undefined): string | undefined {
  if (logoUrl === null || logoUrl === undefined) return undefined;
  if (IMAGE_DATA.test(logoUrl)) return logoUrl;
  const url = URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
