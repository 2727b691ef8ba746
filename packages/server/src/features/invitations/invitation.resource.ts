import { phrase } from '../../platform/language/language.js';
import { ROLE } from '../communities/community.resource.js';
import { defineRecords } from '../fields/define-records.js';
import { defineResource } from '../fields/define-resource.js';
import { EMAIL, idOf } from '../fields/fields.js';
import { WINDOW } from '../memberships/membership.resource.js';

export const memberInvitation = defineResource({
  fields: {
    email: {
      ...EMAIL,
      hint: phrase(
        "The membership counts once the holder of this address accepts it. They see the community's name and your e-mail address.",
      ),
    },
    validFrom: { ...WINDOW.validFrom, hint: phrase('Leave blank to start on acceptance.') },
    validUntil: {
      ...WINDOW.validUntil,
      hint: phrase('Leave blank for lifetime. Without a time, it ends as the day begins.'),
    },
  },
});

export const roleInvitation = defineResource({
  fields: {
    email: {
      ...EMAIL,
      hint: phrase('Check it twice: the role counts once the holder of this address accepts it.'),
    },
    role: ROLE,
  },
});

/** Invitations that nobody has accepted. A declined one stays until its sender may invite again. */
export const invitationRecords = defineRecords({
  one: 'invitation',
  table: 'invitations',
  columns: [
    ...['id', 'community_id', 'email', 'role', 'valid_from', 'valid_until', 'invited_by'],
    ...['created_at', 'expires_at', 'declined_at'],
  ],
  searched: ['id', 'email'],
  owners: ['communityId'],
  fields: {
    communityId: idOf('Community'),
    email: { ...EMAIL, about: 'Only its holder can accept.' },
    role: { ...ROLE, isOptional: true, about: 'Role that it offers. By default it offers a membership.' },
    ...WINDOW,
  },
  rule: {
    holds: ({ role, validFrom, validUntil }) =>
      role === undefined || (validFrom === undefined && (validUntil ?? null) === null),
    path: 'role',
    error: 'Only a membership starts and ends. Leave out the role or the times.',
  },
  create: 'Invites the holder of an address to a membership or a role, on behalf of an owner.',
  end: { summary: 'Withdraws an invitation that is still open.', button: 'Withdraw invitation' },
});
