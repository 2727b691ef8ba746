import type { Clock } from '../state/clock.js';

/** A response with the body of a request that was rejected before its endpoint ran. */
export function rejection(status: number, message: string, { path, clock }: { path: string; clock: Clock }) {
  const timestamp = new Date(clock.now()).toISOString();
  return Response.json({ success: false, message, statusCode: status, timestamp, path }, { status });
}
