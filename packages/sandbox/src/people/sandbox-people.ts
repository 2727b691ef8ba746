import type { SignInPerson } from '@latchkey/server';
import { type Database, listUsers } from '@latchkey/server/extension';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';

/** Number of people on the sign-in page. More do not fit a popup. */
const SHOWN_PEOPLE = 12;

/** Returns the first users of the database, each with a note from the guide. */
export async function listSandboxPeople(db: Database, { notes }: SandboxGuide): Promise<SignInPerson[]> {
  const users = await listUsers(db, SHOWN_PEOPLE);
  return users.flatMap(({ email, name }) =>
    email === null ? [] : [{ email, name: name ?? email, note: notes[email] ?? '' }],
  );
}
