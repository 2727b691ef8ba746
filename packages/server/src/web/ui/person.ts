/** The person a page speaks to or about. */
export interface PagePerson {
  /** Absent for a user who was provisioned by a messenger account only. */
  email: string | null;
  name?: string | undefined;
}

/** What a page calls a person: the name, else the address. */
export function displayName(person: PagePerson): string {
  return person.name ?? person.email ?? 'Your account';
}
