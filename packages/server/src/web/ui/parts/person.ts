/** User as a page shows them. */
export interface PagePerson {
  /** Null for a user who was provisioned by messenger account only. */
  email: string | null;
  name?: string | undefined;
}

/** Returns the name of a user, else the e-mail address. */
export function displayName(person: PagePerson): string {
  return person.name ?? person.email ?? 'Your account';
}
