import { type Expression, type SqlBool, sql } from '../../platform/database/kysely.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';

/** A user, with the row that hides them from a community. Its columns are null if there is none. */
export interface PersonRow {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly messenger_user_id: number | null;
  readonly shown_id: string | null;
  readonly named_email: string | null;
  readonly account_here?: number | null;
}

/**
 * Returns what a community may see of a person. Until the person acts there, that's what somebody else typed: the
 * address, and a messenger account that counts in this community only. The name, the operator's messenger account and
 * the `sub` are shown once the person acts.
 */
export function shownPerson(row: PersonRow) {
  const accountHere = row.account_here ?? null;
  return row.shown_id === null
    ? { sub: row.id, email: row.email, name: row.name, messengerUserId: row.messenger_user_id ?? accountHere }
    : { sub: row.shown_id, email: row.named_email, name: null, messengerUserId: accountHere };
}

/** Column with the address of {@link shownPerson}, for a query with `users` and their `link`. */
export const shownEmail = sql<
  string | null
>`case when link.user_id is null then users.email else link.email end`.as('email');

/** Joins two tables by their rows about the same person in the same community. */
export function samePerson(one: string, other: string) {
  const [isSamePlace, isSameUser] = ['community_id', 'user_id'].map(
    (column) => sql<SqlBool>`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`,
  );
  return <Join extends { on(condition: Expression<SqlBool>): unknown }>(join: Join): Join =>
    join.on(sql<SqlBool>`${isSamePlace} and ${isSameUser}`) as Join;
}

/** Reads a user as a community sees them; without a community, as they are. */
export const findPerson = prepareQuery((db, values: { userId: string; communityId: string | null }) =>
  db
    .selectFrom('users')
    .leftJoin('community_emails as link', (join) =>
      join.onRef('link.user_id', '=', 'users.id').on('link.community_id', '=', values.communityId),
    )
    .select(['users.id', 'users.email', 'users.name', 'users.messenger_user_id'])
    .select(['link.shown_id', 'link.email as named_email'])
    .where('users.id', '=', values.userId),
);
