import {
  described,
  type Emitted,
  nullableSchemas,
  objectSchemas,
  textSchemas,
  uuidSchemas,
} from '../shapes/response-schemas.js';

/** Response of `GET /oauth/userinfo` (spec, "User identity"). Webhook events describe their user with the same fields. */
export const userIdentitySchemas = objectSchemas({
  sub: described(uuidSchemas, 'Id of the user. It never changes, so use it as the key in a database.'),
  email: described(nullableSchemas(textSchemas), 'Can be null and can change, so never use it as a key.'),
});

export type UserIdentity = Emitted<typeof userIdentitySchemas>;
