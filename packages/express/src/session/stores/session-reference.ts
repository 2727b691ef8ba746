import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Content of the cookie of a session in a store. */
export interface SessionReference {
  /** 256 random bits. */
  readonly id: string;
  /** Last use, in milliseconds since the epoch. */
  readonly seenAt: number;
}

/** Formats and verifies the cookies of sessions in a store. */
export interface ReferenceCodec {
  /** Formats `id.seenAt.mac`, signed with the first secret. */
  write(reference: SessionReference): string;
  /** Returns undefined if none of the secrets signed the value. The store is then not called. */
  read(cookieValue: string): SessionReference | undefined;
}

const SHAPE = /^([A-Za-z0-9_-]{43})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** @param secrets The first signs, all verify. The keys are derived from the secrets for this `purpose`. */
export function createReferenceCodec(
  secrets: readonly [string, ...string[]],
  purpose: string,
): ReferenceCodec {
  const keyOf = (secret: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `latchkey ${purpose}`, 32)));
  const signing = keyOf(secrets[0]);
  const keys = [signing, ...secrets.slice(1).map(keyOf)];
  const macOf = (text: string, key = signing) => createHmac('sha256', key).update(text).digest();
  return {
    write({ id, seenAt }) {
      const text = `${id}.${Math.max(0, Math.floor(seenAt)).toString(36)}`;
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    read(cookieValue) {
      const [, id, seenAt, mac] = SHAPE.exec(cookieValue) ?? [];
      if (id === undefined || seenAt === undefined || mac === undefined) return undefined;
      const given = Buffer.from(mac, 'base64url');
      const text = `${id}.${seenAt}`;
      if (!keys.some((key) => timingSafeEqual(given, macOf(text, key)))) return undefined;
      return { id, seenAt: Number.parseInt(seenAt, 36) };
    },
  };
}
