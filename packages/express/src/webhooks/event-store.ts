/** What a store says to the claim of an event. */
export type EventClaim =
  /** The event is yours to handle; the token releases it. */
  | { state: 'claimed'; token: string }
  /** Somebody else is handling it. */
  | { state: 'running' }
  /** It has been handled. */
  | { state: 'done' };

/**
 * Remembers which events have been handled, so that each is handled once however often it is delivered (spec, "Events",
 * 3). An event is claimed before its handler runs, and marked done after; a claim ends by itself after its lease, so that a
 * process that died holds up nothing. Share one store between all processes. Every method rejects when the store cannot
 * be asked: the delivery is then answered with 503 and comes again.
 */
export interface WebhookEventStore {
  /**
   * Claims an event, for `leaseMs` milliseconds, when nobody holds it and it is not done. Of two who claim at once one
   * gets it.
   */
  claim(eventId: string, leaseMs: number): Promise<EventClaim>;
  /** Marks an event as done for `keepMs` milliseconds, whoever holds it: it was handled, also when its lease was over. */
  complete(eventId: string, keepMs: number): Promise<void>;
  /** Gives an event back, so that its next delivery is handled; does nothing unless the claim of `token` still holds. */
  release(eventId: string, token: string): Promise<void>;
}
