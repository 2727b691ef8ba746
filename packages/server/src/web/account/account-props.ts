import { uuidField } from '@latchkey/contract';
import { listOwnRoles } from '../../domain/communities/community-access.js';
import { listReceivedInvitations } from '../../domain/invitations/invitation-list.js';
import { listOwnMemberships } from '../../domain/memberships/own-memberships.js';
import { listConsents } from '../../domain/oauth/consents.js';
import type { User } from '../../domain/users/users.js';
import type { Clock } from '../../platform/clock.js';
import { readPosition } from '../../platform/database/keyset.js';
import type { Database } from '../../platform/database/open-database.js';
import type { AccountPageProps } from './account-page.js';

/** Reads one page of each list of the account page. The starts of the pages come from the address. */
export async function accountProps(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  user: User,
  query: URLSearchParams,
): Promise<Omit<AccountPageProps, 'frame' | 'notice'>> {
  const now = clock.now();
  const afterMembership = readPosition(query.get('after'));
  const afterRole = uuidField.safeParse(query.get('roles')).data;
  const afterApp = query.get('apps') ?? undefined;
  const own = await listOwnMemberships(db, user.id, { now, after: afterMembership });
  return {
    invitations: await listReceivedInvitations(db, user.email, now),
    memberships: own.active,
    upcoming: own.upcoming,
    expired: own.expired,
    next: own.next,
    roles: await listOwnRoles(db, user.id, afterRole),
    apps: await listConsents(db, user.id, afterApp),
    isFirst: {
      memberships: afterMembership === undefined,
      roles: afterRole === undefined,
      apps: afterApp === undefined,
    },
  };
}
