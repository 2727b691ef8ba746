/** Fills an empty database with this many users, memberships and token pairs, and the fixed rows that the requests name. */
export function fillDatabase(url: string, options: { rows: number }): Promise<void>;
