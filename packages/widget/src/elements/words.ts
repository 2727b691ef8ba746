/** The words of an attribute that holds a list: separated by white space or commas. */
export function words(text: string | null): string[] {
  return text?.split(/[\s,]+/).filter(Boolean) ?? [];
}
