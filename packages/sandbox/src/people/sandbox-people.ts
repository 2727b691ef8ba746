import { comparableEmail } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { AddedNote, SignInPerson } from '@latchkey/server';
import {
  type Database,
  findClaim,
  findUserByEmail,
  formOf,
  listTwoStepUsers,
  listUsers,
  proveEmail,
  readContinuePath,
  readForm,
  redirect,
  sameOriginGuard,
  signInPath,
  startUserSession,
} from '@latchkey/server/extension';
import { messagePage, sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { SCENARIO_PEOPLE } from '../scenario/scenarios.js';
import { onPost } from '../services/routes.js';
import type { Needs, Services } from '../services/services.js';

export const PICK_PERSON_PATH = '/sandbox/sign-in';

/** How many people without a note are shown. The page with all records has a search for the others. */
const SHOWN_OTHERS = 8;

/** A note about a person with two-step sign-in. The button is a test tool. */
const SKIPS: AddedNote = { text: 'Two-step sign-in is on, and this button skips it' };

const NO_MEMBERSHIP: AddedNote = { text: 'No membership' };

interface ListedUser {
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * Returns people to sign in as: from the guide, then from each scenario, then the newest others. Everyone with a note
 * is in the list, including the owner of the sample shop.
 */
export async function listSandboxPeople(
  { db, clock }: Needs<'db' | 'clock'>,
  guide: SandboxGuide,
): Promise<SignInPerson[]> {
  const groups = [{ title: undefined, notes: guide.notes }, ...SCENARIO_PEOPLE];
  const noted = await findUsers(
    db,
    groups.flatMap(({ notes }) => Object.keys(notes)),
  );
  const standing = await standingOf(db, [...noted.keys()], clock.now());
  const withTwoSteps = new Set(await listTwoStepUsers(db));
  const personOf = ({ email, name }: ListedUser, note: AddedNote, group?: string): SignInPerson[] => {
    if (email === null) return [];
    const notes = withTwoSteps.has(email) ? [note, SKIPS] : [note];
    return [{ email, name: name ?? email, note: notes.filter(({ text }) => text !== ''), group }];
  };
  const rest = new Map(noted);
  const people = groups.flatMap(({ title, notes }) =>
    Object.entries(notes).flatMap(([email, note]) => {
      const user = rest.get(email);
      // A person is in one group only: the guide can have a note about a scenario's person.
      rest.delete(email);
      return user === undefined
        ? []
        : personOf(user, note === '' ? (standing.get(email) ?? NO_MEMBERSHIP) : { text: note }, title);
    }),
  );
  const newest = await listUsers(db, SHOWN_OTHERS + noted.size);
  // Before the person signs in, two communities can know them by the same address.
  const byEmail = new Map(newest.map((user) => [user.email, user]));
  const others = [...byEmail.values()].filter(({ email }) => !noted.has(email ?? '')).slice(0, SHOWN_OTHERS);
  const heading = people.length > 0 ? 'Other people' : undefined;
  return [...people, ...others.flatMap((user) => personOf(user, { text: '' }, heading))];
}

/** Returns what people are or were members of, by email address. People who never had a membership are missing. */
async function standingOf(
  db: Database,
  emails: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, AddedNote>> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .select(['users.email', 'memberships.valid_from', 'memberships.valid_until'])
    .select(({ fn }) => fn.coalesce('communities.name', 'products.name').as('name'))
    .where('users.email', 'in', emails)
    // The last one in this order is shown: preferably a running one, in a community.
    .orderBy(({ eb }) => eb.case().when('memberships.community_id', 'is', null).then(0).else(1).end())
    .orderBy('memberships.id')
    .execute();
  const isOver = ({ valid_until: end }: { valid_until: number | null }) => end !== null && end <= now;
  const ofAll = [...rows.filter(isOver), ...rows.filter((row) => !isOver(row) && row.valid_from <= now)];
  return new Map(
    ofAll.map((row): [string, AddedNote] => {
      const end = row.valid_until === null ? '' : dayOf(row.valid_until);
      const values = { name: row.name ?? 'a product', end };
      const running = end === '' ? 'Member of {name} for life' : 'Member of {name} until {end}';
      return [
        row.email ?? '',
        { text: isOver(row) ? 'Membership of {name} ended on {end}' : running, values },
      ];
    }),
  );
}

function dayOf(instant: number): string {
  return formatTimestamp(instant).slice(0, 10);
}

async function findUsers(db: Database, emails: readonly string[]): Promise<Map<string, ListedUser>> {
  const rows = await db.selectFrom('users').select(['email', 'name']).where('email', 'in', emails).execute();
  return new Map(rows.flatMap(({ email, name }) => (email === null ? [] : [[email, { email, name }]])));
}

export function pickPersonRoutes(services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  onPost(router, PICK_PERSON_PATH, sameOriginGuard(services), readForm, async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    const { db, clock } = services;
    const email = comparableEmail(form.get('email') ?? '');
    const known = await findUserByEmail(db, email);
    const isClaimed = known === undefined && (await findClaim(db, email)) !== undefined;
    const user = isClaimed ? await proveEmail(db, email, clock.now()) : known;
    if (user === undefined) {
      const page = messagePage({
        title: 'No user has this address',
        text: 'Pick a person on the sign-in page, or sign in with a code to create a new user.',
        action: { href: signInPath(continueTo), label: 'Back to sign-in' },
      });
      return sendPage(response, page, { status: 400 });
    }
    await startUserSession(services, { request, response }, user.id);
    redirect(response, 303, continueTo);
  });
  return router;
}
