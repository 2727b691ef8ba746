import {
  described,
  type Emitted,
  nullableSchemas,
  objectSchemas,
  textSchemas,
  uuidSchemas,
} from '../response-schemas.js';

/** Answer of `GET /oauth/userinfo` (spec, "User identity"). `sub` is the key to store; `email` may be null. */
export const userIdentitySchemas = objectSchemas({
  sub: described(uuidSchemas, 'Stable user identifier; the key to store.'),
  email: described(nullableSchemas(textSchemas), 'May be null; never a key.'),
});

/** A user's identity as the service emits it. */
export type UserIdentity = Emitted<typeof userIdentitySchemas>;
