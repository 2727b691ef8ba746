import { idField } from '@latchkey/server/schemas';

const EXAMPLE = '5eed0000-0000-4000-8000-00000000000a';

export function idOf(description: string) {
  return idField.meta({ placeholder: 'uuid', description });
}

/** An optional id for something new. */
export const newId = idField
  .exactOptional()
  .meta({ placeholder: 'uuid', defaultText: 'a new UUID', description: `Id, such as ${EXAMPLE}.` });

export const ownerId = idOf('Owner’s user id.');
export const userId = idOf('User’s id.');
export const communityId = idOf('Community’s id.');
