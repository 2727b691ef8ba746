import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';

/** True for the five event types of the spec. */
export function isKnownType(type: unknown): type is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((each) => each === type);
}
