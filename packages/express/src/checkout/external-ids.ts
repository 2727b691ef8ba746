import { createHmac } from 'node:crypto';
import { comparableId } from '../platform/comparable-id.js';

const MAC_BYTES = 16;

/**
 * External ids of checkouts: `lk.{plan}.{sub}.{mac}`. A visitor's id for a plan is always the same, so that opening a
 * checkout twice changes one reservation, and the invite link of a purchase can be found again. A `sub` that is a UUID is
 * written in lower case.
 *
 * The mac keeps the id secret from other sellers. The invite-link endpoint is not limited to the caller's communities
 * (spec, "GET /membership/join-messenger-community-external/{externalId}", rule 1). A seller who guessed an id could
 * open a checkout with it: the visitor would then count as paid here, or get the link of that seller's chat.
 */
export class ExternalIds {
  readonly #secrets: readonly string[];

  /** @param secrets The first creates ids. All are used for {@link all}. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Returns the id that a new checkout has. */
  current(planId: string, sub: string): string {
    return externalId(this.#secrets[0] ?? '', planId, comparableId(sub));
  }

  /** Returns the ids that a checkout of this visitor can have, the current one first. */
  all(planId: string, sub: string): string[] {
    return this.#secrets.map((secret) => externalId(secret, planId, comparableId(sub)));
  }
}

function externalId(secret: string, planId: string, sub: string): string {
  const mac = createHmac('sha256', secret).update(`external id ${planId} ${sub}`).digest();
  return `lk.${planId}.${sub}.${mac.subarray(0, MAC_BYTES).toString('base64url')}`;
}
