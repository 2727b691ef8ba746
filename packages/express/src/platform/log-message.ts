/**
 * Appends the entry about a message in the documentation.
 * @param code heading of the entry in docs/troubleshooting.md. A test compares all codes with the headings.
 */
export function logMessage(code: string, message: string): string {
  return `${message} See docs/troubleshooting.md#${code}`;
}
