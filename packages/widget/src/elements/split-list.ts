/** Splits an attribute that contains a list, separated by white space or commas. */
export function splitList(text: string | null | undefined): string[] {
  return text?.split(/[\s,]+/).filter(Boolean) ?? [];
}
