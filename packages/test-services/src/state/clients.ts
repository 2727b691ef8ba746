/** An OAuth client that is registered at the service. */
export interface FakeClient {
  clientId: string;
  name: string;
  /** Owner of the client, as a key owner. Omitted: the one who owns the communities that name no owner. */
  ownerId?: string;
  /** Present for a confidential client. */
  secret?: string;
  /** Omitted: the service accepts every redirect URI, because the apps under test listen on free ports. */
  redirectUris?: readonly string[];
  /** Omitted: the widget may receive codes on every origin. */
  allowedOrigins?: readonly string[];
}

export const PUBLIC_CLIENT = `oac_${'a'.repeat(24)}`;
export const CONFIDENTIAL_CLIENT = `oac_${'c'.repeat(24)}`;
export const CLIENT_SECRET = `ocs_${'5'.repeat(48)}`;

export const DEFAULT_CLIENTS: readonly FakeClient[] = [
  { clientId: PUBLIC_CLIENT, name: 'A public client' },
  { clientId: CONFIDENTIAL_CLIENT, name: 'A confidential client', secret: CLIENT_SECRET },
];

/** Returns the client with an id, or undefined if the service does not know it. */
export type FindClient = (clientId: string) => FakeClient | undefined;

/** With unchecked credentials, every id is the id of a public client. */
export function clientFinder(clients: readonly FakeClient[], isUnchecked: boolean): FindClient {
  return (clientId) => {
    const known = clients.find((client) => client.clientId === clientId);
    return known ?? (isUnchecked ? { clientId, name: 'A shop' } : undefined);
  };
}
