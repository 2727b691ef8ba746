/** Splits a list that is separated by white space or commas. Frameworks can set an array instead of a text. */
export function splitList(list: string | null | undefined): string[] {
  return `${list ?? ''}`.split(/[\s,]+/).filter(Boolean);
}
