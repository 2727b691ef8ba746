import { at, CHECK, json, onJson, onReply, PROVISION, type Variant } from './fault.js';

/** Services that differ from ours in what the specification leaves open. */
export const VARIANTS: readonly Variant[] = [
  {
    name: 'values of errorCode that the set does not contain yet',
    keeps: ['envelope.error-code-known-values', 'envelope.endpoint-failure', 'provision.overlap-error'],
    handler: onJson(
      (request) => at('/unknown-')(request) || PROVISION(request),
      (body, { status }) => {
        if (status === 404) body.errorCode = 'no_such_reservation';
        if (status === 409) body.errorCode = 'membership_frozen';
      },
    ),
  },
  {
    name: 'a messenger account below one at check-messenger',
    keeps: ['check-messenger.messenger-user-id'],
    handler: onReply(CHECK, (_reply, { path }) =>
      path.endsWith('/-1')
        ? json(200, { success: true, data: { isActive: false, membershipId: null } })
        : undefined,
    ),
  },
];
