import { requirementRows } from './requirement.js';

/** Rules for API keys: keys, permissions, the five endpoints, errors, retries. */
export const apiKeyRequirements = requirementRows('api-key', {
  'What the service does': {
    server: {
      'general.five-api-key-endpoints':
        'The API-key surface exposes exactly five endpoints; nothing else accepts an API key.',
      'api-key.administered-communities':
        'A key acts on behalf of the communities that its owner administers as OWNER or ADMIN.',
    },
  },
  'Resources and their fields': {
    server: { 'api-key.prefix': 'API keys begin with `svc_`.' },
  },
  'Resources and their fields / Provisioned membership result': {
    server: {
      'provision.result-membership-id': 'The result contains `membershipId`, a uuid.',
      'provision.result-user-id': 'The result contains `userId`, the uuid of the matched or created user.',
      'provision.result-valid-from':
        '`validFrom` is the stored value; on `created` it is the time of the call.',
      'provision.result-valid-until': '`validUntil` is ISO-8601, or null for lifetime.',
      'provision.result-status': '`status` is created, extended, replaced or idempotent_return.',
    },
    caller: {
      'provision.store-membership-id':
        'A client stores `membershipId` with the order, because no endpoint returns it later.',
    },
  },
  'Resources and their fields / Messenger membership check result': {
    server: {
      'check-messenger.result-is-active': 'The result contains the boolean `isActive`.',
      'check-messenger.result-membership-id':
        '`membershipId` is a uuid, or null without an active membership.',
    },
  },
  'Resources and their fields / Invite link result': {
    server: {
      'invite-link.result-link': 'The result contains `link`, the invite URL.',
      'invite-link.result-expires-at': '`expiresAt` is ISO-8601, 24 hours after the call.',
    },
  },
  'Resources and their fields / Checkout session result': {
    server: { 'buy-plan.result-checkout-url': 'The result contains `checkoutUrl`, a hosted-payment URL.' },
    caller: {
      'buy-plan.redirect-as-is': 'A client redirects to `checkoutUrl` unchanged and allowlists no host.',
    },
  },
  'Resources and their fields / Drop signup result': {
    server: {
      'drop-signup.result-signed-up': '`signedUp` is false if the address already has an account.',
      'drop-signup.result-has-existing-account':
        '`hasExistingAccount` is true if the signup was skipped for that reason.',
      'drop-signup.result-slot-info': 'The result contains the object `dropSlotInfo`.',
      'drop-signup.slot-id': '`dropSlotInfo.id` is the id of the drop slot.',
      'drop-signup.slot-slots': '`dropSlotInfo.slots` is a number, or null if unlimited.',
      'drop-signup.slot-slots-used': '`dropSlotInfo.slotsUsed` is a number.',
      'drop-signup.slot-available': '`dropSlotInfo.availableSlots` is a number, or null if unlimited.',
      'drop-signup.slot-starts-at': '`dropSlotInfo.startsAt` is an ISO-8601 string.',
      'drop-signup.slot-ends-at': '`dropSlotInfo.endsAt` is ISO-8601, or null without an end date.',
      'drop-signup.slot-currently-active':
        '`dropSlotInfo.isCurrentlyActive` is true for a slot that started and has not ended.',
      'drop-signup.slot-notification': '`dropSlotInfo.dropNotification` is an object or null.',
      'drop-signup.slot-user-has-notification': '`dropSlotInfo.userHasNotification` is an optional boolean.',
    },
    caller: {
      'drop-signup.ignore-internal':
        'A client ignores `dropNotification` and `userHasNotification`, which are internal.',
    },
  },
  'States and transitions / Membership outcome of POST /membership/provision-external': {
    server: {
      'provision.status-reports-state-before':
        '`status` is the state of the membership before the call, not the requested strategy.',
      'provision.created': 'Without a membership row the result is `created`, and access starts at the call.',
      'provision.created-ignores-valid-from': 'On `created` the requested `validFrom` is ignored.',
      'provision.creates-user': 'A user who is not matched is created.',
      'provision.extend-keeps-later-end':
        'Extending an active row keeps the later of the requested and the existing end.',
      'provision.extend-open-ended': 'Extending gives lifetime if either side is open-ended.',
      'provision.extend-not-added': 'Extending does not add periods together.',
      'provision.replace-active':
        'Replacing an active row applies the requested period and returns `extended`.',
      'provision.overlap-error':
        'onOverlap=error on an active row gives 409 and leaves the membership untouched.',
      'provision.lapsed-replaced':
        'An expired row gets the requested period and returns `replaced`, for every value of onOverlap.',
      'provision.idempotent-return':
        'The order id stored on the row returns the unchanged membership as `idempotent_return`.',
      'provision.subscription-managed': 'A row that a payment-provider subscription manages gives 409.',
      'provision.latest-order-id-only':
        'Only the latest order id is stored, so repeating an older order provisions again.',
      'provision.same-order-other-buyer':
        'The same order id with a different email or messengerUserId provisions again.',
    },
  },
  'States and transitions / Checkout reservation and invite link': {
    server: {
      'buy-plan.reservation': 'A valid request leaves a reservation keyed by `externalId`.',
      'buy-plan.resolves-user': 'The user with the email address is found or created.',
      'invite-link.before-payment':
        'Before the payment the response is a 404 whose message says that the membership is not processed yet.',
      'invite-link.after-payment': 'After the payment each call creates a new invite link.',
      'invite-link.leaves-reservation': 'Requesting an invite link leaves the reservation unchanged.',
    },
  },
  'Endpoints / API-key endpoints': {
    server: {
      'api-key.envelope': 'API-key endpoints respond with the envelope.',
      'api-key.provision-permission':
        'provision-external requires MEMBERSHIP_WRITE, MEMBERSHIP_PROVISION and OWNER or ADMIN.',
      'api-key.invite-link-permission': 'The invite-link endpoint requires MEMBERSHIP_WRITE.',
      'api-key.check-messenger-permission': 'check-messenger requires MEMBERSHIP_READ and OWNER or ADMIN.',
      'api-key.buy-plan-permission': 'buy-plan requires CHECKOUT_WRITE and OWNER or ADMIN.',
      'api-key.drop-signup-permission': 'drop signup requires DROP_NOTIFICATION_WRITE and OWNER or ADMIN.',
    },
  },
  'Endpoints / POST /membership/provision-external': {
    server: {
      'provision.success-ok': 'Success is a 200.',
      'provision.community-id': '`communityId` is a required uuid.',
      'provision.external-order-id': '`externalOrderId` is a required string.',
      'provision.email-or-messenger': 'Without `email` and `messengerUserId` the request fails with 400.',
      'provision.email-format': '`email`, if sent, is an email address.',
      'provision.messenger-user-id-min': '`messengerUserId`, if sent, is an integer of at least 1.',
      'provision.pricing-plan-id': '`pricingPlanId` is an optional uuid, the plan of the membership.',
      'provision.valid-from-default': '`validFrom` is optional and defaults to now.',
      'provision.valid-until-omitted': 'Omitting `validUntil` means lifetime.',
      'provision.on-overlap-values': '`onOverlap` is extend, replace or error.',
      'provision.on-overlap-default': '`onOverlap` defaults to extend.',
      'provision.malformed-uuid': 'A malformed uuid fails with 400.',
      'provision.malformed-timestamp': 'A timestamp that is not ISO-8601 fails with 400.',
      'provision.malformed-on-overlap': 'An `onOverlap` outside the allowed values fails with 400.',
      'provision.repeat-same-fields': 'A recognized repeat returns the same five result fields.',
      'provision.private': 'MEMBERSHIP_PROVISION is granted only to vetted partners.',
    },
    caller: {
      'provision.stable-order-id':
        'A client derives `externalOrderId` from a durable order id, not from a time or a random value.',
      'provision.send-both-identifiers': 'Sending both identifiers gives the best chance of matching a user.',
      'provision.never-null-end': 'A client omits `validUntil` for lifetime: no null, no far-future date.',
    },
  },
  'Endpoints / GET /membership/join-messenger-community-external/{externalId}': {
    server: {
      'invite-link.external-id': '`externalId` is the one of buy-plan, not the order id of a provisioning.',
      'invite-link.not-community-scoped': "The request is not limited to the caller's communities.",
      'invite-link.unknown-external-id': 'An unknown `externalId` gives 404.',
      'invite-link.not-a-member':
        'A buyer without an active membership gives 401 with errorCode `unauthorized` and a message that says so.',
      'invite-link.no-bot':
        'Without a messenger bot the response is a 200 with `success` false, `data` null and a message.',
      'invite-link.lifetime': 'The link expires 24 hours after its creation.',
      'invite-link.bound-to-account':
        "The link is bound to the buyer's messenger account; others are rejected.",
    },
    caller: { 'invite-link.not-cached-past-expiry': 'A client does not cache the link past `expiresAt`.' },
  },
  'Endpoints / GET /membership/check-messenger/{communityId}/{messengerUserId}': {
    server: {
      'check-messenger.community-id': '`communityId` is a uuid in the path.',
      'check-messenger.messenger-user-id': '`messengerUserId` is an integer in the path.',
      'check-messenger.point-in-time': 'The result describes the time of the call.',
    },
  },
  'Endpoints / POST /api/checkout/buy-plan': {
    server: {
      'buy-plan.success-created': 'Success is a 201.',
      'buy-plan.pricing-plan-id': '`pricingPlanId` is a required uuid.',
      'buy-plan.community-id': '`communityId` is a required uuid.',
      'buy-plan.external-id': 'A missing `externalId` fails with 400.',
      'buy-plan.email-normalised': '`email` is lower-cased and trimmed.',
      'buy-plan.email-is-identity':
        'The checkout is bound to the user of `email`, which is not just a pre-filled value.',
      'buy-plan.success-url': '`successUrl` is required; a value that is not a URL fails with 400.',
      'buy-plan.cancel-url': '`cancelUrl` is required; a value that is not a URL fails with 400.',
      'buy-plan.utm-source-max-length': '`utmSource` is optional, at most 100 characters.',
      'buy-plan.utm-source-reported': '`utmSource` appears in purchase reports.',
      'buy-plan.malformed-uuid': 'A malformed uuid fails with 400.',
      'buy-plan.rejections': 'An invalid key gives 401, a missing permission or role 403.',
      'buy-plan.unknown-plan':
        'An unknown plan gives 201, `success` true, empty `data` and no `checkoutUrl`.',
      'buy-plan.missing-email': 'A missing `email` gives 201, `success` false, a `message`, no `errorCode`.',
    },
    caller: {
      'buy-plan.absence-is-failure': 'A client treats the absence of `data.checkoutUrl` as a failure.',
      'buy-plan.success-url-no-proof':
        'A client relies on the payment.success event, not on `successUrl`, as proof of payment.',
    },
  },
  'Endpoints / POST /api/drop-notification/signup': {
    server: {
      'drop-signup.success-created': 'Success is a 201.',
      'drop-signup.next-drop': "The signup is for the community's next drop slot at the time of the call.",
      'drop-signup.community-id': '`communityId` is a required uuid.',
      'drop-signup.email': '`email` is a required email address.',
      'drop-signup.phone-number': '`phoneNumber` is an optional phone number.',
      'drop-signup.existing-account':
        'An email address with an account gives 201, `success` true, `signedUp` false, `hasExistingAccount` true.',
      'drop-signup.existing-account-global': 'Accounts are looked up globally, not per community.',
      'drop-signup.duplicate': 'The same address twice for the same drop gives 409 `already_exists`.',
    },
  },
  'Authentication / API keys': {
    server: {
      'api-key.bearer-header': 'A key is sent as Authorization: Bearer.',
      'api-key.no-x-api-key': 'No x-api-key header exists.',
      'api-key.permissions-fixed': 'Permissions are chosen at creation and cannot be edited afterwards.',
      'api-key.selectable-permissions':
        'MEMBERSHIP_READ, MEMBERSHIP_WRITE, CHECKOUT_WRITE and DROP_NOTIFICATION_WRITE are selectable.',
      'api-key.private-permission': 'MEMBERSHIP_PROVISION cannot be selected; it is granted on request.',
      'api-key.shown-once': 'The plaintext key is shown once, at creation.',
      'api-key.stored-as-hash': 'The key is stored only as a hash.',
      'api-key.belongs-to-user':
        'A key belongs to a user and works for every community that the user administers.',
      'api-key.role-checked':
        'A communityId requires an active OWNER or ADMIN role of the key owner there, else 403.',
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
  'Errors / Shapes': {
    server: {
      'rejection.before-endpoint':
        'An invalid key, an invalid field, a missing permission or a missing role gives the rejection body.',
      'envelope.endpoint-failure':
        'A failure of an endpoint is the envelope with `success` false, `errorCode` and `message`, without `data`.',
    },
  },
  'Errors / Status codes (API-key endpoints)': {
    server: {
      'api-key.status-validation': '400 means that a field is missing, malformed or not allowed.',
      'api-key.status-not-found':
        '404 means that the resource does not exist, or that the payment is not completed.',
      'api-key.status-conflict': '409 means that the membership or the drop signup already exists.',
      'api-key.status-server-failure': '500 means that the service failed.',
      'api-key.rejected-key-no-error-code': 'A rejected key never has an `errorCode`.',
    },
    caller: {
      'api-key.unauthorized-with-error-code':
        'A client distinguishes a 401 with errorCode `unauthorized` (not a member) from a rejected key.',
    },
  },
  'Errors / Failures inside 2xx': {
    caller: {
      'envelope.failure-inside-success':
        'A client detects the failures of buy-plan, invite-link and drop-signup inside a 2xx.',
    },
  },
  'Errors / Retry rules': {
    server: {
      'retry.provision-idempotent':
        "Retrying with the same order id is safe while it is the buyer's latest order there.",
    },
    caller: {
      'retry.not-client-errors': 'A client does not retry 400, 401, 403, 404 and 409.',
      'retry.server-errors-backoff': 'A client retries 500 with backoff.',
      'retry.report-context':
        'A failure report contains correlationKey, errorCode, message, endpoint, UTC time and status.',
    },
  },
});
