import type { RecordedRequest } from '../../scripted-service/request.js';

/** An answer of the scripted service. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request of the tested client with its answer, in the order of arrival. */
export interface ServiceExchange {
  readonly request: RecordedRequest;
  readonly answer: Answer;
  /** Script that answered. */
  readonly script: string;
}
