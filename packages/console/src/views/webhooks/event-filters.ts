import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import type { Place, PlaceChange } from '../../shell/place.js';

/** Filters of the list of events. Empty values restrict nothing. */
export interface EventFilters {
  readonly text: string;
  readonly type: string;
  readonly status: string;
  readonly webhook: string;
}

/** Filters that restrict nothing. */
export const NO_FILTERS: EventFilters = { text: '', type: '', status: '', webhook: '' };

/** States of deliveries, with their labels. */
export const STATUS_LABELS: Readonly<Record<string, string>> = {
  pending: 'Pending or held',
  delivered: 'Delivered',
  failed: 'Failed',
  none: 'No webhook',
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the filters from the address. Values that the control API would reject are left out. */
export function filtersOf(place: Place): EventFilters {
  const [type, status, webhook] = [place.get('type'), place.get('status'), place.get('webhook')];
  return {
    text: place.get('text').slice(0, 200),
    type: WEBHOOK_EVENT_TYPES.some((known) => known === type) ? type : '',
    status: status in STATUS_LABELS ? status : '',
    webhook: UUID.test(webhook) ? webhook : '',
  };
}

/** True if a filter restricts the list. */
export function hasFilters({ text, type, status, webhook }: EventFilters): boolean {
  return `${text}${type}${status}${webhook}` !== '';
}

export function parametersOf({ text, type, status, webhook }: EventFilters): PlaceChange {
  return { text, type, status, webhook };
}

/** Returns filters as the query of `GET /events`. */
export function queryOf({ webhook, ...filters }: EventFilters): Record<string, string> {
  return { ...filters, webhookId: webhook };
}
