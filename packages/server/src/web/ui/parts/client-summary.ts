/** Public data of a registered client. The client's owner wrote all fields, so they are untrusted. */
export interface ClientSummary {
  name: string;
  /** Shown if it is an `https:`, `http:` or image `data:` URL. Otherwise a monogram is shown. */
  logoUrl?: string | null | undefined;
  description?: string | null | undefined;
  /** `#rrggbb` in lower case. */
  accent?: string | null | undefined;
}
