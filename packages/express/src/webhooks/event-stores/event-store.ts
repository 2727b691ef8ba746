/** Result of claiming an event. */
export type EventClaim =
  /** The caller handles the event. The token releases the claim. */
  | { kind: 'claimed'; token: string }
  /** Another process is handling the event. */
  | { kind: 'running' }
  /** The event was handled before. */
  | { kind: 'done' };

/**
 * Records which events were handled, so that an event that is delivered several times is handled once (spec, "Events",
 * 3). An event is claimed before its handler runs and marked as done afterwards. A claim expires after its lease, in case
 * the process died. All processes share one store. An id begins with its community or product, if the options name them.
 * If a method rejects, the response is 503, and the service delivers the event again.
 */
export interface WebhookEventStore {
  /** Claims an event for `leaseMs` milliseconds, unless it is claimed or done. Only one of several callers succeeds. */
  claim(eventId: string, leaseMs: number): Promise<EventClaim>;
  /** Marks an event as done for `keepMs` milliseconds, even if the claim has expired or another caller has claimed it. */
  complete(eventId: string, keepMs: number): Promise<void>;
  /** Releases a claim, so that the next delivery is handled. Does nothing if the claim of `token` has expired. */
  release(eventId: string, token: string): Promise<void>;
}
