import type { EndpointName } from '@latchkey/contract/constants';

/** A request that the tested client sent to the scripted service. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw text of the body. */
  readonly body: string;
  /** Fields of a JSON or form body. Empty for another body. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Undefined for a path that the API does not have. */
  readonly endpoint: EndpointName | undefined;
  /** Values of the path parameters. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** An answer of the scripted service. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request with its answer, in the order of arrival. */
export interface ServiceExchange {
  readonly request: ServiceRequest;
  readonly answer: Answer;
  /** Script that answered. */
  readonly script: string;
  /** Milliseconds of a monotonic clock at which the request arrived. */
  readonly receivedAt: number;
  /** Milliseconds of a monotonic clock at which the answer was complete. */
  readonly answeredAt: number;
  /**
   * True if the client closed the connection without having read the answer. False if it has read the answer, and as long as
   * that is unknown: a client can also drop an answer after reading it.
   */
  readonly isLost: boolean;
}
