const IMAGE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * Returns the URL of a client's logo if an `<img>` may load it: an `https:` or `http:` URL, or an image as a `data:` URL.
 * All other URLs are dropped, because clients register them.
 */
export function safeLogoUrl(logoUrl: string | null | undefined): string | undefined {
  if (logoUrl === null || logoUrl === undefined) return undefined;
  if (IMAGE_DATA.test(logoUrl)) return logoUrl;
  const url = URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
