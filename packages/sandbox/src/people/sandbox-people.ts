import type { SignInPerson } from '@latchkey/server';
import { type Database, listTwoStepUsers, listUsers } from '@latchkey/server/extension';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { SCENARIO_PEOPLE } from '../scenario/scenarios.js';

/** Number of people without a note. The page with all records has a search for the others. */
const SHOWN_OTHERS = 8;

/** Note about a person with two-step sign-in. The button is a test tool. */
const SKIPS = 'Two-step sign-in is on, and this button skips it';

interface ListedUser {
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * Returns people to sign in as: those of the guide, then those of each scenario, then the newest of the others. All people
 * with a note are in the list, so the owner of the sample shop is too.
 */
export async function listSandboxPeople(db: Database, guide: SandboxGuide): Promise<SignInPerson[]> {
  const groups = [{ title: undefined, notes: guide.notes }, ...SCENARIO_PEOPLE];
  const noted = await findUsers(
    db,
    groups.flatMap(({ notes }) => Object.keys(notes)),
  );
  const withTwoSteps = new Set(await listTwoStepUsers(db));
  const personOf = ({ email, name }: ListedUser, note: string, group?: string): SignInPerson[] => {
    if (email === null) return [];
    const notes = [note, withTwoSteps.has(email) && SKIPS].filter(Boolean);
    return [{ email, name: name ?? email, note: notes.join('. '), group }];
  };
  const rest = new Map(noted);
  const people = groups.flatMap(({ title, notes }) =>
    Object.entries(notes).flatMap(([email, note]) => {
      const user = rest.get(email);
      // A person is in one group only: the guide can have a note about a person of a scenario.
      rest.delete(email);
      return user === undefined ? [] : personOf(user, note, title);
    }),
  );
  const newest = await listUsers(db, SHOWN_OTHERS + noted.size);
  const others = newest.filter(({ email }) => email === null || !noted.has(email)).slice(0, SHOWN_OTHERS);
  const heading = people.length > 0 ? 'Other people' : undefined;
  return [...people, ...others.flatMap((user) => personOf(user, '', heading))];
}

/** Returns the users with these email addresses, by address. */
async function findUsers(db: Database, emails: readonly string[]): Promise<Map<string, ListedUser>> {
  const rows = await db.selectFrom('users').select(['email', 'name']).where('email', 'in', emails).execute();
  return new Map(rows.flatMap(({ email, name }) => (email === null ? [] : [[email, { email, name }]])));
}
