/**
 * Writes a message for the developer of the site to the console.
 * @param entry heading in the documentation that explains the message.
 */
export function log(level: 'error' | 'warn' | 'info', entry: string, message: string): void {
  // biome-ignore lint/suspicious/noConsole: the developer of the site looks for such messages in the console.
  console[level](`Latchkey: ${message} docs/troubleshooting.md#${entry}`);
}
