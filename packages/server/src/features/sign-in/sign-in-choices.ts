import type { Database } from '../../platform/database/open-database.js';
import type { AddedNote } from '../../platform/language/language.js';

/** A person that a visitor can sign in as with one click. */
export interface SignInPerson {
  readonly email: string;
  readonly name: string;
  readonly note: string | readonly AddedNote[];
  /** Heading of the person's group. People without a group come first. @default none */
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

/** An inbox page that shows the email with the sign-in codes. */
export interface CodeInbox {
  /** Name in the link's label: "Codes arrive in the <name>." */
  readonly name: string;
  /**
   * Returns the root-relative address of the inbox.
   *
   * @param email the address that the code was sent to, if known.
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

/** Returns people by group, with the groups in the order of their first members. `first` has no group. */
export function peopleByGroup(people: readonly SignInPerson[]) {
  const membersOf = (heading: string | undefined) => people.filter(({ group }) => group === heading);
  const headings = [...new Set(people.map(({ group }) => group))];
  return {
    first: membersOf(undefined),
    groups: headings.flatMap((heading) =>
      heading === undefined ? [] : [{ heading, members: membersOf(heading) }],
    ),
    /** True if all people fit and no group needs to be closed. */
    areOpen: people.length <= FITTING_PEOPLE,
  };
}
