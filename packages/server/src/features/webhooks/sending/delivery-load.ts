import { performance } from 'node:perf_hooks';
import { type DueEndpoint, type EndpointShare, LEASED_PER_ENDPOINT } from './delivery-queue.js';

/** Age at which a delivery counts as late, in milliseconds. A healthy endpoint has responded by then. */
const LATE_AFTER_MS = 1_000;

export interface DeliveryLimits {
  /** Maximum number of deliveries that aren't late. Failing endpoints get half as many, including late ones. */
  prompt: number;
  /** Maximum number of late deliveries. Beyond it, nothing else is sent. */
  late: number;
  /** Maximum number of deliveries to one endpoint. An endpoint that failed at the last attempt gets one. */
  perEndpoint: number;
}

export const DEFAULT_LIMITS: DeliveryLimits = { prompt: 512, late: 1_024, perEndpoint: LEASED_PER_ENDPOINT };

interface Running {
  webhookId: string;
  failing: boolean;
  startedAt: number;
}

/** Late ones have a separate limit: endpoints that are slow take room from the others for a second at most. */
export class DeliveryLoad {
  readonly #limits: DeliveryLimits;
  /** By delivery id, oldest first. */
  readonly #running = new Map<string, Running>();
  readonly #now: () => number;

  /** @param now returns the age of the process in milliseconds, or another time that only grows. */
  constructor(limits: DeliveryLimits = DEFAULT_LIMITS, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get size(): number {
    return this.#running.size;
  }

  has(deliveryId: string): boolean {
    return this.#running.has(deliveryId);
  }

  start(deliveryId: string, { webhookId, failing }: DueEndpoint): void {
    this.#running.set(deliveryId, { webhookId, failing, startedAt: this.#now() });
  }

  end(deliveryId: string): void {
    this.#running.delete(deliveryId);
  }

  get free(): number {
    const late = this.#late();
    if (late >= this.#limits.late) return 0;
    return Math.max(0, this.#limits.prompt - (this.#running.size - late));
  }

  /** Failing endpoints come last, with at least an eighth of the total. */
  share(due: readonly DueEndpoint[], total: number): EndpointShare[] {
    const failing = due.filter((endpoint) => endpoint.failing);
    const healthy = due.filter((endpoint) => !endpoint.failing);
    const running = [...this.#running.values()].filter((delivery) => delivery.failing).length;
    const room = Math.max(0, this.#limits.prompt / 2 - running);
    const reserved = Math.min(failing.length, room, Math.ceil(total / 8));
    const shares = this.#fill(healthy, { total: total - reserved, perEndpoint: this.#limits.perEndpoint });
    const left = total - shares.reduce((sum, { limit }) => sum + limit, 0);
    return [...shares, ...this.#fill(failing, { total: Math.min(left, room), perEndpoint: 1 })];
  }

  #fill(
    endpoints: readonly DueEndpoint[],
    { total, perEndpoint }: { total: number; perEndpoint: number },
  ): EndpointShare[] {
    const shares: EndpointShare[] = [];
    const busy = new Set(Array.from(this.#running.values(), ({ webhookId }) => webhookId));
    let left = total;
    for (const endpoint of endpoints) {
      const limit = Math.min(left, perEndpoint);
      // The next deliveries to an endpoint wait for the earlier ones, which keeps events in order, or close to it.
      if (limit <= 0 || busy.has(endpoint.webhookId)) continue;
      shares.push({ ...endpoint, limit });
      left -= limit;
    }
    return shares;
  }

  #late(): number {
    const since = this.#now() - LATE_AFTER_MS;
    let late = 0;
    for (const { startedAt } of this.#running.values()) {
      if (startedAt > since) break;
      late += 1;
    }
    return late;
  }
}
