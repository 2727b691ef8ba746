const DATA_PATH = '/sandbox/data';

/** Returns the URL of a record in the console, or of all records of a kind. */
export function dataHref(kind: string, id?: string): string {
  return `${DATA_PATH}?${new URLSearchParams({ kind, ...(id !== undefined && { id }) })}`;
}
