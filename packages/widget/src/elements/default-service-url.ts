let fallback = '';

/** Where elements without a `service-url` sign in: the origin that the script tag was loaded from. */
export function defaultServiceUrl(): string {
  return fallback;
}

/** Set once by the script tag, before the elements are defined. */
export function setDefaultServiceUrl(url: string): void {
  fallback = url;
}
