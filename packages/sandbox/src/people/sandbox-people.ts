import type { SignInPerson } from '@latchkey/server';
import { type Database, listTwoStepUsers, listUsers } from '@latchkey/server/extension';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { SCENARIO_NOTES } from '../scenario/scenarios.js';

/** Number of people on the sign-in page. More do not fit a popup. */
const SHOWN_PEOPLE = 14;

/** Note about a person with two-step sign-in. The button is a test tool. */
const SKIPS = 'Two-step sign-in is on, and this button skips it';

/** Returns people to sign in as: those with a note first, then the first users of the database. */
export async function listSandboxPeople(db: Database, guide: SandboxGuide): Promise<SignInPerson[]> {
  const notes: Readonly<Record<string, string>> = { ...SCENARIO_NOTES, ...guide.notes };
  const noted = await db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('email', 'in', Object.keys(notes))
    .orderBy('created_at')
    .orderBy('email')
    .execute();
  const withTwoSteps = new Set(await listTwoStepUsers(db));
  const noteOf = (email: string) =>
    [notes[email], withTwoSteps.has(email) && SKIPS].filter(Boolean).join('. ');
  const ids = new Set(noted.map(({ id }) => id));
  const others = (await listUsers(db, SHOWN_PEOPLE)).filter(({ id }) => !ids.has(id));
  return [...noted, ...others]
    .slice(0, SHOWN_PEOPLE)
    .flatMap(({ email, name }) =>
      email === null ? [] : [{ email, name: name ?? email, note: noteOf(email) }],
    );
}
