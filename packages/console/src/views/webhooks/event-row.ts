import type { EventEntry } from '@latchkey/sandbox';
import { css, html, type TemplateResult } from 'lit';
import { logRowStyles } from '../../parts/split-view.styles.js';

type Delivery = EventEntry['deliveries'][number];

/** Returns the state of a delivery as text, and its kind, which gives the colour. */
export function deliveryState({ status, nextAttemptAt }: Pick<Delivery, 'status' | 'nextAttemptAt'>): {
  text: string;
  kind: string;
} {
  if (status === 'delivered') return { text: 'delivered', kind: 'good' };
  if (status === 'failed') return { text: 'failed', kind: 'bad' };
  return nextAttemptAt === null ? { text: 'held', kind: 'warn' } : { text: 'pending', kind: 'warn' };
}

/** Returns the state of an event: the worst state of its deliveries. */
function eventState({ deliveries }: EventEntry): { text: string; kind: string } {
  const [worst] = ['failed', 'pending', 'delivered'].flatMap((status) =>
    deliveries.filter((delivery) => delivery.status === status),
  );
  return worst === undefined ? { text: 'no webhook', kind: 'neutral' } : deliveryState(worst);
}

/** Returns the person that an event is about, or an empty string. */
function userOf({ body }: EventEntry): string {
  const { data } = (body ?? {}) as { data?: { user?: { email?: string | null; sub?: string } } };
  return data?.user?.email ?? data?.user?.sub ?? '';
}

/**
 * Returns the number of attempts of a single delivery. For several, the number of deliveries, plus all attempts once
 * one was repeated.
 */
function attemptsText({ deliveries }: EventEntry): string {
  const attempts = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
  const ofAll = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  if (deliveries.length < 2) return ofAll;
  return `${deliveries.length} endpoints${attempts > deliveries.length ? `, ${ofAll}` : ''}`;
}

export function eventRow(event: EventEntry): TemplateResult {
  const { text, kind } = eventState(event);
  return html`<span class="event-row">
    <span class="pill pill-${kind}">${text}</span>
    <span class="type" translate="no">${event.type}</span>
    <span class="user" translate="no">${userOf(event)}</span>
    <span class="count">${attemptsText(event)}</span>
    <span class="time">${event.createdAt.slice(5, 19).replace('T', ' ')}</span>
  </span>`;
}

export const rowStyles = css`
  ${logRowStyles}
  .event-row {
    grid-template-columns: minmax(6.5rem, max-content) minmax(0, 14rem) minmax(0, 1fr) minmax(6rem, max-content) 8rem;
  }
  @container (max-width: 46rem) {
    .event-row {
      grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr) auto;
    }
    .count {
      display: none;
    }
    .type,
    .user {
      min-block-size: 1lh;
    }
    .user {
      grid-row: 2;
      grid-column: 2 / -1;
    }
  }
  @container (max-width: 26rem) {
    .event-row {
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0.125rem 0.5rem;
    }
    .pill {
      grid-area: 1 / 2;
      justify-self: end;
    }
    .type {
      grid-area: 1 / 1;
    }
    .user {
      grid-area: 2 / 1;
    }
    .time {
      grid-area: 2 / 2;
    }
  }
`;
