/** Options of the API reference. They're read again for each page. */
export interface ApiReferenceOptions {
  /** True if the reference sends requests from the reader's browser. @default false */
  readonly tryIt?: boolean | undefined;
  /** API key that the reference shows to everyone and sends. It must give access to test data only. @default none */
  readonly apiKey?: string | undefined;
}
