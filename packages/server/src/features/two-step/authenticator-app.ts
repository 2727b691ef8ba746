import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';

/** `created_at` identifies the setup. */
export type AuthenticatorApp = Pick<Row<'second_factors'>, (typeof COLUMNS)[number]>;

const COLUMNS = ['user_id', 'secret', 'created_at'] as const;

export async function findAuthenticatorApp(db: Database, userId: string) {
  return await db
    .selectFrom('second_factors')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Locks the app until the transaction ends: changes to it and its recovery codes run one after another. */
export async function lockAuthenticatorApp(transaction: Database, userId: string) {
  return await transaction
    .updateTable('second_factors')
    .set(({ ref }) => ({ last_step: ref('last_step') }))
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** How long a code is shown, in seconds (RFC 6238). All authenticator apps use this value. */
const TOTP_PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Length of a secret in bytes. It's the length of a SHA-1 hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** How many steps before and after the current one are accepted, to allow for clocks that differ. */
const SKEW_STEPS = 1;

const SETTINGS = { algorithm: 'SHA1', digits: DIGITS, period: TOTP_PERIOD_SECONDS } as const;

/** Loads the library when a code is first needed. Most processes don't need one at startup. */
const loadLibrary = () => import('otpauth');

export async function createTotpSecret(): Promise<string> {
  const { Secret } = await loadLibrary();
  return new Secret({ size: SECRET_BYTES }).base32;
}

export async function totpAddress(app: { secret: string; issuer: string; account: string }): Promise<string> {
  const { TOTP } = await loadLibrary();
  const { secret, issuer, account } = app;
  return new TOTP({ ...SETTINGS, secret, issuer, label: account }).toString();
}

export async function totpCode(secret: string, now: number): Promise<string> {
  const { TOTP } = await loadLibrary();
  return new TOTP({ ...SETTINGS, secret }).generate({ timestamp: now });
}

/** Returns the time step of the entered code. `undefined` if the code belongs to none of the accepted steps. */
export async function findTotpStep({ secret, code }: { secret: string; code: string }, now: number) {
  // The library throws on characters of more than one byte.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const { TOTP } = await loadLibrary();
  const totp = new TOTP({ ...SETTINGS, secret });
  // Compares in constant time.
  const delta = totp.validate({ token: code, timestamp: now, window: SKEW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

const LISTED = 100;

/** A user with two-step sign-in, and the code that the app shows now. */
export interface CurrentCode {
  email: string;
  code: string;
  /** False while the setup waits for its confirmation. */
  isOn: boolean;
}

/** Returns the current codes by email address, of one user if `email` is given. For test tools only: the codes sign in. */
export async function listCurrentCodes(db: Database, email: string | undefined, now: number) {
  const secrets = db
    .selectFrom('users')
    .select('users.email')
    .$if(email !== undefined, (query) => query.where('users.email', '=', email ?? ''))
    .orderBy('users.email')
    .limit(LISTED);
  const active = await secrets
    .innerJoin('second_factors as app', 'app.user_id', 'users.id')
    .select('app.secret')
    .execute();
  const pending = await secrets
    .innerJoin('second_factor_setups as setup', 'setup.user_id', 'users.id')
    .select('setup.secret')
    .where('setup.expires_at', '>', now)
    .execute();
  const rows = [
    ...active.map((row) => ({ ...row, isOn: true })),
    ...pending.map((row) => ({ ...row, isOn: false })),
  ];
  const codes = rows.map(async ({ email: to, secret, isOn }) => {
    return to === null ? [] : [{ email: to, code: await totpCode(secret, now), isOn }];
  });
  return (await Promise.all(codes)).flat();
}

export async function listTwoStepUsers(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select('users.email')
    .limit(LISTED)
    .execute();
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
