/**
 * Returns a guide's text with the values of a test in place of some of its addresses and ports. Replaces a port only as a whole
 * number, and never reads a value again. A port of the test may begin with one of the guide, as 44001 does with 4400.
 * @param values the values, by the text of the guide that each replaces
 */
export function replaceAddresses(text: string, values: Readonly<Record<string, string>>): string {
  const found = new RegExp(`(?:${Object.keys(values).map(RegExp.escape).join('|')})(?!\\d)`, 'g');
  return text.replaceAll(found, (address) => values[address] ?? address);
}
