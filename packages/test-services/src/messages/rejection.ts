/** The fields of a rejection before the endpoint runs (specification, "Pre-endpoint rejection body"). */
export interface Rejection {
  status: number;
  message: string;
  /** Path of the request. */
  path: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export function rejectionBody({ status, message, path, at }: Rejection): object {
  return { success: false, message, statusCode: status, timestamp: new Date(at).toISOString(), path };
}
