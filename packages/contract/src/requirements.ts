import { apiKeyRequirements } from './requirements/api-key-requirements.js';
import { type Requirement, requirementRows } from './requirements/requirement.js';
import { signInRequirements } from './requirements/sign-in-requirements.js';

/** Rules for the whole API: transport, the two shared response formats, status classes, versioning. */
const generalRequirements = requirementRows('general', {
  'What the service does': {
    server: {
      'general.json-over-https': 'All traffic is JSON over HTTPS at the base URL.',
    },
    caller: {
      'general.single-environment': 'There is exactly one environment; every call acts on live data.',
      'general.api-key-not-in-browser': 'An API key is never placed in a browser.',
    },
  },
  'Resources and their fields': {
    server: {
      'general.timestamp-format':
        'Timestamps are emitted as ISO-8601 with millisecond precision and a Z suffix.',
      'general.uuid-format': 'Fields of type uuid contain a UUID string.',
    },
  },
  'Resources and their fields / Response envelope (BaseResponse)': {
    server: {
      'envelope.success-true': '`success` is true if the call succeeded.',
      'envelope.data-absent-on-failure': '`data` is omitted or null on failure.',
      'envelope.error-code-format': '`errorCode` is lowercase snake_case.',
      'envelope.error-code-absent-on-success': '`errorCode` is omitted on success.',
      'envelope.error-code-known-values':
        'Each `errorCode` that the specification names is one of the known values.',
      'envelope.message-on-failure': 'A failure contains a `message` for developers.',
      'envelope.correlation-key-presence':
        '`correlationKey` is present on failure only if the request contained a trace id.',
      'envelope.log-url-presence': '`logUrl` follows the same presence rule as `correlationKey`.',
    },
    caller: {
      'envelope.every-key-optional': 'A client treats every key of the envelope as optional.',
      'envelope.error-code-set-grows': 'A client accepts unknown values of `errorCode`.',
      'envelope.message-for-developers': 'A client does not show `message` to end users.',
    },
  },
  'Resources and their fields / Pre-endpoint rejection body': {
    server: {
      'rejection.success-false': 'The rejection body contains `success`, always false.',
      'rejection.message': 'The rejection body contains `message`, a string.',
      'rejection.status-code': 'The rejection body contains `statusCode`, the integer HTTP status.',
      'rejection.timestamp': 'The rejection body contains `timestamp`, an ISO-8601 string.',
      'rejection.path': 'The rejection body contains `path`, the request path.',
      'rejection.no-error-code': 'The rejection body has no `errorCode` key.',
      'rejection.no-data': 'The rejection body has no `data` key.',
    },
  },
  Errors: {
    caller: {
      'general.branch-on-status': 'A client branches on the HTTP status first, then reads the body.',
      'general.unlisted-status-by-class':
        'A client handles unlisted statuses by class: 4xx change the request, 5xx retry with backoff.',
    },
  },
  Versioning: {
    server: {
      'versioning.no-path-prefix': 'Paths have no version prefix.',
      'versioning.no-version-header': 'No version header exists.',
    },
    caller: {
      'versioning.ignore-unknown-fields': 'A client ignores unknown response fields.',
      'versioning.status-controls-flow':
        'A client uses the HTTP status for control flow, because new values of `errorCode` can follow.',
    },
  },
});

const webhookRequirements = requirementRows('webhooks', {
  Events: {
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
});

export type { Requirement };

/** Every rule of the spec. Tests cite the ids as tags. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...generalRequirements,
  ...signInRequirements,
  ...apiKeyRequirements,
  ...webhookRequirements,
];
