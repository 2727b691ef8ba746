import { DEFAULT_SERVICE_NAMES, webhookHeadersOf } from '../names/service-names.js';

/** Headers of a webhook delivery under the spec's own names (spec, "Events", 3). */
export const WEBHOOK_HEADERS = webhookHeadersOf(DEFAULT_SERVICE_NAMES);
