import type { WebhookEntry } from '../log/log-entries.ts';

/** The parts of an event's body that the checks compare. */
interface EventBody {
  id: string;
  type: string;
  data: {
    membership?: EventMembership;
    externalOrderId?: string | null;
    externalId?: string | null;
    productId?: string | null;
    product?: { id: string };
    user?: { email: string | null };
    amount?: number;
    currency?: string;
  };
}

interface EventMembership {
  id: string;
  validFrom: string;
  validUntil: string | null;
  productType?: string;
  isActive?: boolean;
}

/** Event of the log, with all its deliveries. Its contents are those of the first delivery. */
export interface SoakEvent extends EventBody {
  deliveries: WebhookEntry[];
}

/** Returns the events of a log by the header that identifies them. */
export function readEvents(webhooks: readonly WebhookEntry[]): SoakEvent[] {
  return [...Map.groupBy(webhooks, ({ eventId }) => eventId).values()].flatMap((deliveries) =>
    deliveries[0] === undefined ? [] : [{ ...(JSON.parse(deliveries[0].body) as EventBody), deliveries }],
  );
}
