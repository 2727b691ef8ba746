let scriptOrigin = '';

/** Returns the service of elements without a `service-url`: the origin of the script tag. */
export function defaultServiceUrl(): string {
  return scriptOrigin;
}

/** Sets the origin. The script tag calls it before it defines the elements. */
export function setDefaultServiceUrl(url: string): void {
  scriptOrigin = url;
}
