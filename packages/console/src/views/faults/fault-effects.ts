import type { FaultEffect } from '@latchkey/sandbox';

export interface OfferedEffect {
  readonly kind: FaultEffect['kind'];
  readonly label: string;
  /** What changes for the caller, and how a good site behaves. */
  readonly hint: string;
  readonly of: 'calls' | 'deliveries';
  readonly needs?: 'ms' | 'status';
}

/** All effects, calls first. */
export const EFFECTS: readonly OfferedEffect[] = [
  {
    kind: 'latency',
    label: 'Latency',
    hint: 'Waits before the call. Your site should wait too, and show that it does.',
    of: 'calls',
    needs: 'ms',
  },
  {
    kind: 'status',
    label: 'Error status',
    hint: 'Answers with a status in place of the endpoint. Your site should say so and offer to try again.',
    of: 'calls',
    needs: 'status',
  },
  {
    kind: 'reset',
    label: 'Connection reset',
    hint: 'Resets the connection before the call: the endpoint does nothing.',
    of: 'calls',
  },
  {
    kind: 'answer-lost',
    label: 'Answer lost after commit',
    hint: 'The endpoint does its work, then the connection is reset. A repetition must not do it twice.',
    of: 'calls',
  },
  {
    kind: 'malformed',
    label: 'Malformed body',
    hint: 'Sends half of the body. Your site must not take it for an answer.',
    of: 'calls',
  },
  {
    kind: 'drip',
    label: 'Slow drip',
    hint: 'Sends the body in ten parts over a time.',
    of: 'calls',
    needs: 'ms',
  },
  {
    kind: 'duplicate',
    label: 'Duplicate',
    hint: 'Sends two copies of a delivery at once. Your site should act on one.',
    of: 'deliveries',
  },
  {
    kind: 'delay',
    label: 'Delay',
    hint: 'Sends a delivery later, by the clock of the service.',
    of: 'deliveries',
    needs: 'ms',
  },
  {
    kind: 'reorder',
    label: 'Reorder',
    hint: 'Sends a delivery after the next one to the same webhook.',
    of: 'deliveries',
  },
  {
    kind: 'drop',
    label: 'Drop',
    hint: 'The attempt fails and sends nothing. The service tries again later.',
    of: 'deliveries',
  },
  {
    kind: 'wrong-signature',
    label: 'Wrong signature',
    hint: 'Signs with another secret. Your site must reject the delivery.',
    of: 'deliveries',
  },
];
