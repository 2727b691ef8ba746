import type { Kit } from './kit.js';

const kits = new WeakMap<object, Kit>();

/** Notes the kit behind what `latchkey()` gives, for `@latchkey/express/testing`. */
export function rememberKit(auth: object, kit: Kit): void {
  kits.set(auth, kit);
}

/** The kit behind what `latchkey()` gave; undefined for anything else, and for what another copy of this package gave. */
export function kitOf(auth: object): Kit | undefined {
  return kits.get(auth);
}
