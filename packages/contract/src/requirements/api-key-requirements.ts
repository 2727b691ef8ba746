import { requirementRows } from './requirement.js';

/** Rules of the API-key surface: keys, permissions, the five endpoints, errors, retries. */
export const apiKeyRequirements = requirementRows([
  {
    surface: 'api-key',
    section: 'What the service does',
    server: {
      'general.five-api-key-endpoints':
        'The API-key surface exposes exactly five endpoints; nothing else accepts an API key.',
      'api-key.administered-communities':
        'A key acts on behalf of the communities that its owner administers as OWNER or ADMIN.',
    },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields',
    server: { 'api-key.prefix': 'API keys begin with `svc_`.' },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields / Provisioned membership result',
    server: {
      'provision.result-membership-id': 'The result carries `membershipId`, a uuid.',
      'provision.result-user-id': 'The result carries `userId`, the uuid of the user matched or created.',
      'provision.result-valid-from': '`validFrom` is as stored; on `created` it is the time of the call.',
      'provision.result-valid-until': '`validUntil` is ISO-8601, or null for lifetime.',
      'provision.result-status': '`status` is created, extended, replaced or idempotent_return.',
    },
    caller: {
      'provision.store-membership-id': 'A client stores `membershipId` per order: it is the only handle.',
    },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields / Messenger membership check result',
    server: {
      'check-messenger.result-is-active': 'The result carries the boolean `isActive`.',
      'check-messenger.result-membership-id':
        '`membershipId` is a uuid, and null when there is no active membership.',
    },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields / Invite link result',
    server: {
      'invite-link.result-link': 'The result carries `link`, the invite URL.',
      'invite-link.result-expires-at': '`expiresAt` is ISO-8601, 24 hours after the call.',
    },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields / Checkout session result',
    server: { 'buy-plan.result-checkout-url': 'The result carries `checkoutUrl`, a hosted-payment URL.' },
    caller: {
      'buy-plan.redirect-as-is': 'A client redirects to `checkoutUrl` as it is and allowlists no host.',
    },
  },
  {
    surface: 'api-key',
    section: 'Resources and their fields / Drop signup result',
    server: {
      'drop-signup.result-signed-up': '`signedUp` is false when the address already has an account.',
      'drop-signup.result-has-existing-account': '`hasExistingAccount` is true when skipped for that reason.',
      'drop-signup.result-slot-info': 'The result carries the object `dropSlotInfo`.',
      'drop-signup.slot-id': '`dropSlotInfo.id` is the id of the drop slot.',
      'drop-signup.slot-slots': '`dropSlotInfo.slots` is a number, or null if unlimited.',
      'drop-signup.slot-slots-used': '`dropSlotInfo.slotsUsed` is a number.',
      'drop-signup.slot-available': '`dropSlotInfo.availableSlots` is a number, or null if unlimited.',
      'drop-signup.slot-starts-at': '`dropSlotInfo.startsAt` is an ISO-8601 string.',
      'drop-signup.slot-ends-at': '`dropSlotInfo.endsAt` is ISO-8601, or null when there is no end date.',
      'drop-signup.slot-currently-active':
        '`dropSlotInfo.isCurrentlyActive` is true for a slot that started and has not ended.',
      'drop-signup.slot-notification': '`dropSlotInfo.dropNotification` is an object or null.',
      'drop-signup.slot-user-has-notification':
        '`dropSlotInfo.userHasNotification` is a boolean that is sometimes present.',
    },
    caller: {
      'drop-signup.ignore-internal':
        'A client ignores `dropNotification` and `userHasNotification`, which are internal.',
    },
  },
  {
    surface: 'api-key',
    section: 'States and transitions / Membership outcome of POST /membership/provision-external',
    server: {
      'provision.status-reports-state-before':
        '`status` reports the state of the membership before the call, not the strategy requested.',
      'provision.created': 'Without a membership row the result is `created` and access starts at the call.',
      'provision.created-ignores-valid-from': 'On `created` the supplied `validFrom` is ignored.',
      'provision.creates-user': 'A user who is not matched is created.',
      'provision.extend-keeps-later-end':
        'Extending an active row keeps the later of the supplied and the existing end.',
      'provision.extend-open-ended': 'Extending gives lifetime if either side is open-ended.',
      'provision.extend-not-added': 'Extending does not add periods together.',
      'provision.replace-active':
        'Replacing an active row applies the supplied window and reports `extended`.',
      'provision.overlap-error':
        'onOverlap=error on an active row gives 409 and leaves the membership untouched.',
      'provision.lapsed-replaced':
        'A lapsed row is overwritten with the supplied window and reports `replaced`, whatever onOverlap says.',
      'provision.idempotent-return':
        'The order id stored on the row returns the membership unchanged as `idempotent_return`.',
      'provision.subscription-managed': 'A row managed by a payment-provider subscription gives 409.',
      'provision.latest-order-id-only':
        'The stored order id is the most recent one: replaying an older order provisions again.',
      'provision.same-order-other-buyer':
        'The same order id with a different email or messengerUserId provisions again.',
    },
  },
  {
    surface: 'api-key',
    section: 'States and transitions / Checkout reservation and invite link',
    server: {
      'buy-plan.reservation': 'A valid request leaves a reservation keyed by `externalId`.',
      'buy-plan.resolves-user': "The e-mail's user is resolved or created.",
      'invite-link.before-payment':
        'Before payment completes the answer is 404, saying the membership has not been processed yet.',
      'invite-link.after-payment': 'After payment a fresh invite link is minted at each call.',
      'invite-link.leaves-reservation': 'Asking for an invite link leaves the reservation unchanged.',
    },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / API-key endpoints',
    server: {
      'api-key.envelope': 'API-key endpoints answer with the envelope.',
      'api-key.provision-permission':
        'provision-external needs MEMBERSHIP_WRITE, MEMBERSHIP_PROVISION and OWNER or ADMIN.',
      'api-key.invite-link-permission': 'The invite-link endpoint needs MEMBERSHIP_WRITE.',
      'api-key.check-messenger-permission': 'check-messenger needs MEMBERSHIP_READ and OWNER or ADMIN.',
      'api-key.buy-plan-permission': 'buy-plan needs CHECKOUT_WRITE and OWNER or ADMIN.',
      'api-key.drop-signup-permission': 'drop signup needs DROP_NOTIFICATION_WRITE and OWNER or ADMIN.',
    },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / POST /membership/provision-external',
    server: {
      'provision.success-ok': 'Success answers 200.',
      'provision.community-id': '`communityId` is a required uuid.',
      'provision.external-order-id': '`externalOrderId` is a required string.',
      'provision.email-or-messenger': 'Without `email` and `messengerUserId` the request fails with 400.',
      'provision.email-format': '`email`, where sent, is an e-mail address.',
      'provision.messenger-user-id-min': '`messengerUserId`, where sent, is an integer of at least 1.',
      'provision.pricing-plan-id':
        '`pricingPlanId` is an optional uuid, the plan the membership is attached to.',
      'provision.valid-from-default': '`validFrom` is optional and defaults to now.',
      'provision.valid-until-omitted': 'Omitting `validUntil` means lifetime; null is refused.',
      'provision.on-overlap-values': '`onOverlap` is extend, replace or error.',
      'provision.on-overlap-default': '`onOverlap` defaults to extend.',
      'provision.malformed-uuid': 'A malformed uuid fails with 400.',
      'provision.malformed-timestamp': 'A timestamp that is not ISO-8601 fails with 400.',
      'provision.malformed-on-overlap': 'An `onOverlap` outside the allowed values fails with 400.',
      'provision.repeat-same-fields': 'A recognised repeat returns the same five result fields.',
      'provision.private': 'MEMBERSHIP_PROVISION is granted only to vetted partners.',
    },
    caller: {
      'provision.stable-order-id':
        '`externalOrderId` derives from a durable order id, not from time or chance.',
      'provision.send-both-identifiers': 'Sending both identifiers gives the best chance of matching a user.',
      'provision.never-null-end': 'A client omits `validUntil` for lifetime: no null, no far-future date.',
    },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / GET /membership/join-messenger-community-external/{externalId}',
    server: {
      'invite-link.external-id': '`externalId` is the one sent to buy-plan, not a provisioning order id.',
      'invite-link.not-community-scoped': "The request is not scoped to the caller's communities.",
      'invite-link.unknown-external-id': 'An unknown `externalId` gives 404.',
      'invite-link.not-a-member':
        'A buyer without active membership gives 401 with errorCode `unauthorized` and a message saying so.',
      'invite-link.no-bot':
        'Without a messenger bot the answer is 200 with `success` false, `data` null and a message saying so.',
      'invite-link.lifetime': 'The link expires 24 hours after minting.',
      'invite-link.bound-to-account':
        "The link is bound to the buyer's messenger account; others are rejected.",
    },
    caller: { 'invite-link.not-cached-past-expiry': 'A client does not cache the link past `expiresAt`.' },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / GET /membership/check-messenger/{communityId}/{messengerUserId}',
    server: {
      'check-messenger.community-id': '`communityId` is a uuid in the path.',
      'check-messenger.messenger-user-id': '`messengerUserId` is an integer in the path.',
      'check-messenger.point-in-time': 'The answer holds for the moment of the call.',
    },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / POST /api/checkout/buy-plan',
    server: {
      'buy-plan.success-created': 'Success answers 201.',
      'buy-plan.pricing-plan-id': '`pricingPlanId` is a required uuid.',
      'buy-plan.community-id': '`communityId` is a required uuid.',
      'buy-plan.external-id': 'A missing `externalId` fails with 400.',
      'buy-plan.email-normalised': '`email` is lower-cased and trimmed.',
      'buy-plan.email-is-identity': 'The checkout is bound to the identity of `email`; it is not a pre-fill.',
      'buy-plan.success-url': '`successUrl` is required; a value that is no URL fails with 400.',
      'buy-plan.cancel-url': '`cancelUrl` is required; a value that is no URL fails with 400.',
      'buy-plan.utm-source-max-length': '`utmSource` is optional, at most 100 characters.',
      'buy-plan.utm-source-reported': '`utmSource` is shown in purchase reporting.',
      'buy-plan.malformed-uuid': 'A malformed uuid fails with 400.',
      'buy-plan.rejections': 'An invalid key gives 401, a missing permission or role 403.',
      'buy-plan.unknown-plan':
        'An unknown plan gives 201, `success` true, empty `data` and no `checkoutUrl`.',
      'buy-plan.missing-email': 'A missing `email` gives 201, `success` false, a `message`, no `errorCode`.',
    },
    caller: {
      'buy-plan.absence-is-failure': 'The absence of `data.checkoutUrl` is the failure signal.',
      'buy-plan.success-url-no-proof':
        'Reaching `successUrl` does not prove payment; the payment.success event does.',
    },
  },
  {
    surface: 'api-key',
    section: 'Endpoints / POST /api/drop-notification/signup',
    server: {
      'drop-signup.success-created': 'Success answers 201.',
      'drop-signup.next-drop':
        "The signup is for the community's next upcoming drop slot, found at the call.",
      'drop-signup.community-id': '`communityId` is a required uuid.',
      'drop-signup.email': '`email` is a required e-mail address.',
      'drop-signup.phone-number': '`phoneNumber` is an optional phone number.',
      'drop-signup.existing-account':
        'An e-mail with any account gives 201, `success` true, `signedUp` false, `hasExistingAccount` true.',
      'drop-signup.existing-account-global': 'The lookup of accounts is global, not per community.',
      'drop-signup.duplicate': 'The same address twice for the same drop gives 409 `already_exists`.',
    },
  },
  {
    surface: 'api-key',
    section: 'Authentication / API keys',
    server: {
      'api-key.bearer-header': 'A key is sent as Authorization: Bearer.',
      'api-key.no-x-api-key': 'No x-api-key header exists.',
      'api-key.permissions-fixed': 'Permissions are chosen at creation and cannot be edited afterwards.',
      'api-key.selectable-permissions':
        'MEMBERSHIP_READ, MEMBERSHIP_WRITE, CHECKOUT_WRITE and DROP_NOTIFICATION_WRITE are selectable.',
      'api-key.private-permission': 'MEMBERSHIP_PROVISION cannot be selected; it is granted on request.',
      'api-key.shown-once': 'The plaintext key is shown once, at creation.',
      'api-key.stored-as-hash': 'The key is stored only as a hash.',
      'api-key.belongs-to-user': 'A key belongs to a user and reaches every community they administer.',
      'api-key.role-checked':
        'A request with a communityId needs an active OWNER or ADMIN role of the key owner there, else 403.',
      'api-key.two-checks-independent': 'The permission check and the role check are independent.',
      'api-key.missing-key': 'A missing key gives 401 with the rejection body.',
      'api-key.malformed-key': 'A malformed key gives 401 with the rejection body.',
      'api-key.unknown-key': 'An unknown key gives 401 with the rejection body.',
      'api-key.revoked-key': 'A revoked key gives 401 with the rejection body.',
      'api-key.revocation-immediate': 'Revoking a key takes effect immediately.',
      'api-key.missing-permission': 'A missing permission gives 403.',
      'api-key.missing-role': 'A missing role gives 403.',
      'api-key.no-rate-limit': 'API-key requests are not rate limited: there is no 429.',
    },
  },
  {
    surface: 'api-key',
    section: 'Errors / Shapes',
    server: {
      'rejection.before-endpoint':
        'A failed key, a validator refusal, a missing permission or role: rejection body.',
      'envelope.endpoint-failure':
        'An endpoint failure is the envelope with `errorCode` and `message`, no `data`.',
    },
  },
  {
    surface: 'api-key',
    section: 'Errors / Status codes (API-key endpoints)',
    server: {
      'api-key.status-validation': '400: a field is missing, malformed or disallowed.',
      'api-key.status-not-found': '404: the addressed resource is absent, or payment is not completed yet.',
      'api-key.status-conflict': '409: the membership already exists, or a duplicate drop signup.',
      'api-key.status-server-failure': '500: server-side failure.',
      'api-key.rejected-key-no-error-code': 'A rejected key never has an `errorCode`.',
    },
    caller: {
      'api-key.unauthorized-with-error-code':
        'A client tells a 401 with errorCode `unauthorized` (not a member) from a rejected key.',
    },
  },
  {
    surface: 'api-key',
    section: 'Errors / Failures inside 2xx',
    caller: {
      'envelope.failure-inside-success':
        'A client reads buy-plan, invite-link and drop-signup failures that come inside a 2xx.',
    },
  },
  {
    surface: 'api-key',
    section: 'Errors / Retry rules',
    server: {
      'retry.provision-idempotent':
        "Retrying with the same order id is safe while it is the buyer's most recent provision there.",
    },
    caller: {
      'retry.not-client-errors': 'A client does not retry 400, 401, 403, 404 and 409.',
      'retry.server-errors-backoff': 'A client retries 500 with backoff.',
      'retry.report-context':
        'A report quotes correlationKey, errorCode, message, endpoint, UTC time and status.',
    },
  },
]);
