import { listUsers } from '../domain/users/users.js';
import type { Database } from '../platform/database/open-database.js';
import type { SandboxUser } from '../web/sign-in/sign-in-page.js';
import type { SandboxGuide } from './sandbox.js';

/** More would not fit a popup. */
const SHOWN_USERS = 12;

/** The people to sign in as with one click: the first users that the sandbox was given. */
export async function sandboxUsers(db: Database, { notes }: SandboxGuide): Promise<SandboxUser[]> {
  const known = await listUsers(db, SHOWN_USERS);
  return known.flatMap(({ email, name }) =>
    email === null ? [] : [{ email, name: name ?? email, note: notes[email] ?? '' }],
  );
}
