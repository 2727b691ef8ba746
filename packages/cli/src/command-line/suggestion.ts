import leven, { closestMatch } from 'leven';

/** Names that differ by more edits aren't typing errors. */
const MAX_EDITS = 3;

/** Returns the name that a mistyped one resembles most, if one is close enough. */
export function suggestion(mistyped: string, names: readonly string[]): string | undefined {
  const closest = closestMatch(mistyped, names, { maxDistance: MAX_EDITS });
  // Three edits turn any short name into any other.
  return closest !== undefined && leven(mistyped, closest) <= closest.length / 2 ? closest : undefined;
}
