import { NO_ACCESS } from '../../../domain/charges/charges.js';
import type { Sale } from '../../../domain/checkout/sales.js';
import { Pill } from '../../ui/parts/pill.js';

export function PaymentPill({ status }: Pick<Sale, 'status'>) {
  return status === 'failed' ? <Pill tone="bad">Failed</Pill> : <Pill tone="good">Paid</Pill>;
}

/** Reason of a failed payment, or of a successful one that gave no access. */
export function PaymentReason({ payment }: { payment: Pick<Sale, 'status' | 'reason'> }) {
  if (payment.reason === NO_ACCESS) return <p class="muted">gave no access; you can refund it</p>;
  if (payment.status !== 'failed') return null;
  return (
    <p class="muted">
      <bdi>{payment.reason?.replaceAll('_', ' ') ?? 'no reason given'}</bdi>
    </p>
  );
}
