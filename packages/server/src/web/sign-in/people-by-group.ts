import type { SignInPerson } from './sign-in-choices.js';

/** Number of people that fit a popup. */
const FITTING_PEOPLE = 14;

/** People to sign in as, in the order of a page. */
interface PeopleByGroup {
  /** People without a group. */
  readonly first: readonly SignInPerson[];
  readonly groups: readonly { readonly heading: string; readonly members: readonly SignInPerson[] }[];
  /** True if all people fit, so that no group needs to be closed. */
  readonly areOpen: boolean;
}

/** Returns people by their groups, which are in the order of their first members. */
export function peopleByGroup(people: readonly SignInPerson[]): PeopleByGroup {
  const membersOf = (heading: string | undefined) => people.filter(({ group }) => group === heading);
  const headings = [...new Set(people.map(({ group }) => group))];
  return {
    first: membersOf(undefined),
    groups: headings.flatMap((heading) =>
      heading === undefined ? [] : [{ heading, members: membersOf(heading) }],
    ),
    areOpen: people.length <= FITTING_PEOPLE,
  };
}
