/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** A request as the report shows it. */
export interface SentRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** A response as the report shows it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A request with its response. Without `response`, `failure` is the reason, such as a refused connection. */
export interface Exchange {
  readonly request: SentRequest;
  readonly response?: ReceivedResponse;
  readonly failure?: string;
}
