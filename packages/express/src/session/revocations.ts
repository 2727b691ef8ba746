import { type OAuthService, revokeToken, type TokenRevocation, type TokenSet } from '@latchkey/oauth';
import type { Log } from '../platform/log.js';
import { RetryQueue } from '../platform/retry-queue.js';
import { failureDetails, isInconclusive } from '../platform/service-failure.js';

/** How long a visitor waits for a revocation, in milliseconds. */
export const REVOCATION_WAIT_MS = 3_000;
/** Long pauses: many visitors may sign out during an outage. */
const MAX_PAUSE_MS = 30_000;

/** Revokes the tokens of ended sessions. Only confidential clients can revoke. */
export class Revocations {
  readonly #isConfidential: boolean;
  readonly #logger: Log;
  readonly #service: OAuthService;
  /** By token. */
  readonly #pending = new Set<string>();
  readonly #retries = new RetryQueue();

  constructor(service: OAuthService, logger: Log) {
    const { clientSecret, timeoutMs = REVOCATION_WAIT_MS } = service;
    this.#isConfidential = clientSecret !== undefined;
    this.#logger = logger;
    this.#service = { ...service, timeoutMs: Math.min(timeoutMs, REVOCATION_WAIT_MS) };
  }

  /**
   * Revokes a token pair, or an access token without a refresh token. Resolves after the first attempt and never
   * rejects: the session has ended either way. During an outage, it retries in the background for ten minutes, without
   * keeping the process alive.
   */
  async revoke({ accessToken, refreshToken }: TokenSet): Promise<void> {
    const revocation: TokenRevocation =
      refreshToken === undefined
        ? { token: accessToken, hint: 'access_token' }
        : { token: refreshToken, hint: 'refresh_token' };
    const { token } = revocation;
    // Public clients can't revoke (spec, "POST /oauth/revoke").
    if (!this.#isConfidential || this.#pending.has(token)) return;
    this.#pending.add(token);
    const error = await this.#attempt(revocation);
    if (error === undefined || !isInconclusive(error)) {
      this.#pending.delete(token);
      return;
    }
    this.#logger.warn(
      'tokens_not_revoked',
      'The tokens of an ended session could not be revoked yet. Latchkey retries for ten minutes.',
      failureDetails(error),
    );
    void this.#retry(revocation);
  }

  async #retry(revocation: TokenRevocation): Promise<void> {
    const attempt = async () => {
      const error = await this.#attempt(revocation);
      if (isInconclusive(error)) throw error;
    };
    try {
      await this.#retries.add(revocation.token, attempt, { maxPauseMs: MAX_PAUSE_MS });
    } catch (error) {
      this.#logger.error(
        'tokens_not_revoked',
        'The tokens of an ended session were not revoked. They stay valid until they expire.',
        failureDetails(error),
      );
    } finally {
      this.#pending.delete(revocation.token);
    }
  }

  /** Resolves to the error, if any. Logs a rejection by the service, which isn't retried. */
  async #attempt(revocation: TokenRevocation): Promise<unknown> {
    try {
      await revokeToken(this.#service, revocation);
      return undefined;
    } catch (error) {
      if (!isInconclusive(error)) {
        this.#logger.error(
          'tokens_not_revoked',
          'The service rejected the revocation of the tokens of an ended session.',
          failureDetails(error),
        );
      }
      return error;
    }
  }
}
