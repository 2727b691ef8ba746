import { signIn } from './migrations/0001-sign-in.js';
import { service } from './migrations/0002-service.js';
import { widgetReleases } from './migrations/0003-widget-releases.js';
import { databaseUse } from './migrations/0004-database-use.js';
import { messengerAccounts } from './migrations/0005-messenger-accounts.js';
import { proofsAndBudgets } from './migrations/0006-proofs-and-budgets.js';
import { invitations } from './migrations/0007-invitations.js';
import { verificationAndAnswers } from './migrations/0008-verification-and-answers.js';
import { serviceNames } from './migrations/0009-service-names.js';
import { brands } from './migrations/0010-brands.js';
import { planBenefits } from './migrations/0011-plan-benefits.js';
import { mailOutbox } from './migrations/0012-mail-outbox.js';
import { sessionDetails } from './migrations/0013-session-details.js';
import { sellerLists } from './migrations/0014-seller-lists.js';
import { attemptExchanges } from './migrations/0015-attempt-exchanges.js';
import { migrationKinds } from './migrations/0016-migration-kinds.js';
import { signInAddresses } from './migrations/0017-sign-in-addresses.js';
import { tokenPairRoom } from './migrations/0018-token-pair-room.js';
import { twoStepSignIn } from './migrations/0019-two-step-sign-in.js';
import { timedTokens } from './migrations/0020-timed-tokens.js';
import { charges } from './migrations/0021-charges.js';
import { paymentOrders } from './migrations/0022-payment-orders.js';
import { deletedAccounts } from './migrations/0023-deleted-accounts.js';
import { lookUpIndexes } from './migrations/0024-look-up-indexes.js';
import type { Migration } from './migrations/migration.js';

/** Migrations of one version of the service. */
export interface MigrationList {
  /** By name. A name starts with a number of four digits, which gives the order. */
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Name of the newest migration of the previous release. This version works without the expand migrations after it. */
  readonly previousRelease: string;
}

/** The first schema. No earlier version ran on it, so the rules of expand and contract do not apply to it. */
const BASE = {
  '0001-sign-in': signIn,
  '0002-service': service,
  '0003-widget-releases': widgetReleases,
  '0004-database-use': databaseUse,
  '0005-messenger-accounts': messengerAccounts,
  '0006-proofs-and-budgets': proofsAndBudgets,
  '0007-invitations': invitations,
  '0008-verification-and-answers': verificationAndAnswers,
  '0009-service-names': serviceNames,
  '0010-brands': brands,
  '0011-plan-benefits': planBenefits,
  '0012-mail-outbox': mailOutbox,
  '0013-session-details': sessionDetails,
  '0014-seller-lists': sellerLists,
  '0015-attempt-exchanges': attemptExchanges,
};

/** Newest migration of each release, oldest release first. */
export const SCHEMA_OF_RELEASES: Readonly<Record<string, string>> = {
  '0.1.0': '0015-attempt-exchanges',
};

const migrations: Readonly<Record<string, Migration>> = {
  ...Object.fromEntries(
    Object.entries(BASE).map(([name, { up }]) => [name, { kind: 'expand', up } satisfies Migration]),
  ),
  '0016-migration-kinds': migrationKinds,
  '0017-sign-in-addresses': signInAddresses,
  '0018-token-pair-room': tokenPairRoom,
  '0019-two-step-sign-in': twoStepSignIn,
  '0020-timed-tokens': timedTokens,
  '0021-charges': charges,
  '0022-payment-orders': paymentOrders,
  '0023-deleted-accounts': deletedAccounts,
  '0024-look-up-indexes': lookUpIndexes,
};

/** Migrations of this version. A released migration never changes. A change of the schema is a new one. */
export const MIGRATIONS: MigrationList = {
  migrations,
  previousRelease: previousRelease(Object.keys(migrations), Object.values(SCHEMA_OF_RELEASES)),
};

/** Migrations of the first schema. */
export const BASE_MIGRATIONS: readonly string[] = Object.keys(BASE);

/**
 * Returns the newest migration of the release before this version. If the newest release has all migrations, then this version
 * is that release, or has its schema.
 */
function previousRelease(names: readonly string[], releases: readonly string[]): string {
  const newest = names.at(-1);
  const released = releases.at(-1) === newest ? releases.slice(0, -1) : releases;
  return released.at(-1) ?? releases[0] ?? '';
}
