import {
  described,
  type Emitted,
  nullableViews,
  objectViews,
  textViews,
  uuidViews,
} from '../response-views.js';

/** Answer of `GET /oauth/userinfo` (spec, "User identity"). `sub` is the key to store; `email` may be null. */
export const userIdentityViews = objectViews({
  sub: described(uuidViews, 'Stable user identifier; the key to store.'),
  email: described(nullableViews(textViews), 'May be null; never a key.'),
});

/** A user's identity as the service emits it. */
export type UserIdentity = Emitted<typeof userIdentityViews>;
