import type { DeletionObstacles, OwnedProperty } from './deletion-obstacles.js';

/** Returns one sentence for each kind of obstacle, with what to do first. */
export function obstaclesInWords({
  communities,
  products,
  clients,
  apiKeys,
  isCharged,
}: DeletionObstacles): string[] {
  return [
    ...listed('Hand over the communities', communities),
    ...listed('Delete or hand over the products', products),
    ...listed('Delete the OAuth clients', clients),
    ...listed('Revoke the API keys', apiKeys),
    ...(isCharged ? ['A charge is running. Wait until its result is stored.'] : []),
  ];
}

function listed(instruction: string, owned: readonly OwnedProperty[]): string[] {
  if (owned.length === 0) return [];
  return [`${instruction} first: ${owned.map(({ id, name }) => `"${name}" (${id})`).join(', ')}.`];
}
