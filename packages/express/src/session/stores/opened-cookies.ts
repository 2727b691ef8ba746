import { BoundedMap } from '../../platform/bounded-map.js';
import type { Session } from '../model/session.js';

/** With cookies of 4 kB: at most about 16 MB for the values, and the same for the sessions. */
const MAX_OPENED = 4000;
/** Length of an authentication tag of 128 bits in base64url. It ends every sealed value (RFC 7516 section 7.1). */
const TAG_LENGTH = 22;

/**
 * Sessions of the sealed cookies that were opened last. A hit means that this process has authenticated exactly this value.
 * It does not mean that the session is valid: that is checked on every request.
 */
export class OpenedCookies {
  /** By tag: a hash of the whole value on every request would cost more than the rest of a gate. */
  readonly #byTag = new BoundedMap<string, { cookieValue: string; session: Session }>(MAX_OPENED);

  get(cookieValue: string): Session | undefined {
    const opened = this.#byTag.get(cookieValue.slice(-TAG_LENGTH));
    return opened?.cookieValue === cookieValue ? opened.session : undefined;
  }

  /** @param cookieValue A value that was opened or created, never one that was only received. */
  set(cookieValue: string, session: Session): void {
    // A slice would keep the whole `Cookie` header in memory.
    const copy = Buffer.from(cookieValue).toString();
    this.#byTag.set(copy.slice(-TAG_LENGTH), { cookieValue: copy, session });
  }
}
