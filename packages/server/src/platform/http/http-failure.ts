/**
 * Error that route handlers throw for an unknown path, a wrong method or a missing resource. The error handler sends it in
 * the format of the endpoints below the same path.
 */
export class HttpFailure extends Error {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Response headers to set, by name. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param message Text for the caller; must not contain secrets. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
    this.headers = headers;
  }
}

/** Failure with status 404, also for resources of other users: their existence must not be revealed. */
export function notFound(message = 'There is no such path.'): HttpFailure {
  return new HttpFailure(404, message);
}
