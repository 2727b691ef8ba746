/** Seconds that a code is shown for (RFC 6238). All authenticator apps use this value. */
const TOTP_PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Bytes of a secret: the length of a SHA-1 hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted, because clocks differ. */
const SKEW_STEPS = 1;

const SETTINGS = { algorithm: 'SHA1', digits: DIGITS, period: TOTP_PERIOD_SECONDS } as const;

/** Loads the library when a code is needed for the first time. Most processes never need one at the start. */
const loadLibrary = () => import('otpauth');

/** Creates the secret of an authenticator app, in base32. */
export async function createTotpSecret(): Promise<string> {
  const { Secret } = await loadLibrary();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the `otpauth:` address that authenticator apps read. */
export async function totpAddress(app: { secret: string; issuer: string; account: string }): Promise<string> {
  const { TOTP } = await loadLibrary();
  const { secret, issuer, account } = app;
  return new TOTP({ ...SETTINGS, secret, issuer, label: account }).toString();
}

/** Returns the code that an app shows at an instant. */
export async function totpCode(secret: string, now: number): Promise<string> {
  const { TOTP } = await loadLibrary();
  return new TOTP({ ...SETTINGS, secret }).generate({ timestamp: now });
}

/** Returns the time step whose code was entered. `undefined` if it is the code of none of the accepted steps. */
export async function findTotpStep(
  { secret, code }: { secret: string; code: string },
  now: number,
): Promise<number | undefined> {
  // The library throws on characters of more than one byte.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const { TOTP } = await loadLibrary();
  const totp = new TOTP({ ...SETTINGS, secret });
  // Compares in constant time.
  const delta = totp.validate({ token: code, timestamp: now, window: SKEW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
