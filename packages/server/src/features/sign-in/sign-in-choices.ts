import type { Database } from '../../platform/database/open-database.js';
import type { AddedNote } from '../../platform/language/language.js';

/** Person that a visitor can sign in as with one click. */
export interface SignInPerson {
  readonly email: string;
  readonly name: string;
  readonly note: string | readonly AddedNote[];
  /**
   * Heading of the group that the person belongs to. People without one come first.
   *
   * @default none
   */
  readonly group?: string | undefined;
}

export interface SignInPeople {
  readonly heading: string;
  /**
   * Root-relative address of a form. Choosing a person posts `email` and `continue` to it. The route signs the visitor in
   * and redirects to `continue`.
   */
  readonly action: string;
  list(db: Database): Promise<readonly SignInPerson[]>;
}

/** Inbox page that shows the mail with the sign-in codes. */
export interface CodeInbox {
  /** Text of the link: "Codes arrive in the <name>." */
  readonly name: string;
  /**
   * Returns the root-relative address of the inbox.
   *
   * @param email the address that the code was sent to, if it is known.
   */
  href(email?: string): string;
}

/** Additions to the sign-in pages. A production service needs none. */
export interface SignInChoices {
  readonly people?: SignInPeople | undefined;
  readonly inbox?: CodeInbox | undefined;
  /** Page that shows the current codes of authenticator apps, for test users: "Test codes are in the <name>." */
  readonly authenticator?: CodeInbox | undefined;
}

/** Number of people that fit a popup. */
const FITTING_PEOPLE = 14;

/** Returns people by their groups, which are in the order of their first members. `first` has no group. */
export function peopleByGroup(people: readonly SignInPerson[]) {
  const membersOf = (heading: string | undefined) => people.filter(({ group }) => group === heading);
  const headings = [...new Set(people.map(({ group }) => group))];
  return {
    first: membersOf(undefined),
    groups: headings.flatMap((heading) =>
      heading === undefined ? [] : [{ heading, members: membersOf(heading) }],
    ),
    /** True if all people fit, so that no group needs to be closed. */
    areOpen: people.length <= FITTING_PEOPLE,
  };
}
