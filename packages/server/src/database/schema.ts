import type { MembershipProductType, SellerProductType } from '@latchkey/contract';

/**
 * The tables, as Kysely sees them. Times are integer milliseconds since the epoch, ids are lower-case UUIDs, yes and
 * no are 1 and 0, lists are JSON text. `*_hash` is SHA-256 in hex; what it was made from is nowhere in the database.
 */
export interface Schema {
  users: UserTable;
  communities: CommunityTable;
  community_roles: CommunityRoleTable;
  memberships: MembershipTable;
  products: ProductTable;
  oauth_clients: OAuthClientTable;
  authorization_codes: AuthorizationCodeTable;
  token_pairs: TokenPairTable;
  consents: ConsentTable;
  user_sessions: UserSessionTable;
  sign_in_addresses: SignInAddressTable;
  sign_in_codes: SignInCodeTable;
}

interface UserTable {
  id: string;
  /** Trimmed, lower case, unique; null for a user who has a messenger account only. */
  email: string | null;
  name: string | null;
  messenger_user_id: number | null;
  created_at: number;
}

interface CommunityTable {
  id: string;
  name: string;
  created_at: number;
}

interface CommunityRoleTable {
  community_id: string;
  user_id: string;
  role: 'OWNER' | 'ADMIN';
  is_active: 0 | 1;
}

interface MembershipTable {
  id: string;
  user_id: string;
  product_type: MembershipProductType;
  /** One row for a user in a community, and one for a user and a product. */
  community_id: string | null;
  product_id: string | null;
  valid_from: number;
  /** Null for lifetime access. */
  valid_until: number | null;
}

interface ProductTable {
  id: string;
  owner_id: string;
  name: string;
  slug: string;
  type: SellerProductType | null;
  created_at: number;
}

interface OAuthClientTable {
  client_id: string;
  owner_id: string;
  type: 'public' | 'confidential';
  /** Null for a public client. */
  secret_hash: string | null;
  name: string;
  description: string | null;
  logo_url: string | null;
  redirect_uris: string;
  widget_origins: string;
  scopes: string;
  created_at: number;
}

interface AuthorizationCodeTable {
  id: string;
  code_hash: string;
  client_id: string;
  user_id: string;
  redirect_uri: string;
  /** Space-separated. */
  scope: string;
  code_challenge: string | null;
  expires_at: number;
  spent_at: number | null;
}

/** Both tokens of a pair are one row, so that a refresh is one update and one insert. */
interface TokenPairTable {
  id: string;
  /** The code that this pair, or the first one before it, was issued for. */
  code_id: string;
  client_id: string;
  user_id: string;
  /** Space-separated. */
  scope: string;
  access_token_hash: string;
  access_expires_at: number;
  access_revoked_at: number | null;
  refresh_token_hash: string;
  refresh_expires_at: number;
  /** When the refresh token was used or revoked. */
  refresh_spent_at: number | null;
}

/** One row for each scope that a user has allowed a client. */
interface ConsentTable {
  user_id: string;
  client_id: string;
  scope: string;
  granted_at: number;
}

interface UserSessionTable {
  id_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
}

/** One row for each address that ever asked for a code: who counts an address's codes holds this row. */
interface SignInAddressTable {
  email: string;
  last_asked_at: number;
}

interface SignInCodeTable {
  /** Hash of the attempt's secret, which the browser keeps. */
  attempt_hash: string;
  email: string;
  code_hash: string;
  tries: number;
  created_at: number;
  expires_at: number;
  spent_at: number | null;
}
