/** Returns the id of a client of the fake service. It contains the name, so that the name decides how the service behaves. */
export function clientId(name: string): string {
  const bytes = new TextEncoder().encode(name.padEnd(12, ' '));
  return `oac_${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the name in an id of {@link clientId}. */
export function clientName(id: string | null | undefined): string {
  const bytes = (id ?? '').slice('oac_'.length).match(/../g) ?? [];
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))).trim();
}
