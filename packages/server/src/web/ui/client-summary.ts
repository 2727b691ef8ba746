/** What a page shows of a registered client. All three are its owner's words, and are treated as such. */
export interface ClientSummary {
  name: string;
  /** Shown when it is an `https:`, `http:` or image `data:` address; otherwise a monogram stands in. */
  logoUrl?: string | null | undefined;
  description?: string | null | undefined;
}
