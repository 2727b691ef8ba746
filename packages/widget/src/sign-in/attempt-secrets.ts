import { createPkcePair, createState, type PkcePair } from '@latchkey/oauth';

/** The secrets of one attempt: a PKCE pair, and the nonce in its `state`. */
export interface Secrets extends PkcePair {
  nonce: string;
}

/**
 * Prepares the secrets of the next attempt before the click, because a browser blocks a popup that opens after anything
 * asynchronous. Makes no network request.
 */
export class AttemptSecrets {
  /** `undefined` until they are prepared. */
  ready: Secrets | undefined;
  #preparing: Promise<Secrets> | undefined;

  prepare(): Promise<Secrets> {
    this.#preparing ??= createSecrets()
      .then((secrets) => {
        this.ready = secrets;
        return secrets;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
    return this.#preparing;
  }

  /** Returns new secrets. They are valid for one attempt. */
  async take(): Promise<Secrets> {
    const secrets = await this.prepare();
    this.ready = undefined;
    return secrets;
  }
}

async function createSecrets(): Promise<Secrets> {
  return { nonce: createState(), ...(await createPkcePair()) };
}
