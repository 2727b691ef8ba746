/** More edits than this, and the one was not meant for the other. */
const MAX_EDITS = 3;

/** The name that a mistyped one was most likely meant for, when one is near enough. */
export function closestName(mistyped: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, edits: countEdits(mistyped, name) }))
    .filter(({ name, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(name.length / 2)))
    .sort((one, other) => one.edits - other.edits);
  return ranked[0]?.name;
}

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein), a row at a time. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (character === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
