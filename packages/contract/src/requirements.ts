import { apiKeyRequirements } from './requirements/api-key-requirements.js';
import { generalRequirements } from './requirements/general-requirements.js';
import { type Requirement, requirementRows } from './requirements/requirement.js';
import { signInRequirements } from './requirements/sign-in-requirements.js';

/** Rules for webhooks. */
const webhookRequirements = requirementRows([
  {
    surface: 'webhooks',
    section: 'Events',
    server: {
      'webhook.registered-by-owner': 'Webhooks are registered in the application, not through a public API.',
      'webhook.secret-format': 'The signing secret has 64 hex characters.',
      'webhook.secret-shown': 'The secret is shown at creation and whenever the webhook is saved again.',
      'webhook.all-types-delivered': 'Every active webhook receives all five event types.',
      'webhook.membership-created': 'membership.created is an event type.',
      'webhook.membership-updated': 'membership.updated is an event type.',
      'webhook.payment-success': 'payment.success confirms a completed checkout payment.',
      'webhook.payment-failed': 'payment.failed is an event type.',
      'webhook.digital-product-purchase': 'digital.product.purchase is an event type.',
    },
    caller: {
      'webhook.filter-yourself': 'A receiver filters event types itself.',
      'webhook.deduplicate': 'A receiver deduplicates on the event id.',
      'webhook.verify-before-parse': 'A receiver verifies the signature before parsing the JSON.',
      'webhook.answer-in-time': 'A receiver responds with a 2xx status within 10 seconds.',
    },
    both: {
      'webhook.signature-header': '`X-Svc-Signature` contains the signature.',
      'webhook.event-type-header': '`X-Svc-Event-Type` contains the event type.',
      'webhook.event-id-header': '`X-Svc-Event-Id` contains the event id.',
      'webhook.signature-raw-body': 'The signature is HMAC-SHA256 of the raw request body.',
      'webhook.secret-literal': 'The key is the secret as a literal 64-character string, not hex-decoded.',
    },
  },
]);

export type { Requirement };

/** Every rule of the spec. Tests cite the ids as tags. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...generalRequirements,
  ...signInRequirements,
  ...apiKeyRequirements,
  ...webhookRequirements,
];
