import { type OAuthService, revokeToken, type TokenSet } from '@latchkey/oauth';
import type { Settings } from '../options.js';
import { failureDetails, isInconclusive } from '../service-failure.js';
import { Insistence } from '../session/insist.js';

/** Longest that a visitor waits for a revocation, in milliseconds. */
export const REVOCATION_WAIT_MS = 3_000;
/** Many may sign out during an outage; when it is over, they must not all come at once and again. */
const LONGEST_PAUSE_MS = 30_000;

/** Gives back the tokens of sessions that are over, when the client is a confidential one. */
export class Revocations {
  readonly #settings: Settings;
  readonly #service: OAuthService;
  /** By refresh token. */
  readonly #underWay = new Set<string>();
  readonly #insistence = new Insistence();

  constructor({ settings, service }: { settings: Settings; service: OAuthService }) {
    this.#settings = settings;
    this.#service = { ...service, timeoutMs: Math.min(settings.timeoutMs, REVOCATION_WAIT_MS) };
  }

  /**
   * Revokes the pair. Resolves after the first try, and never rejects: the session is over either way. While the service
   * cannot be asked, it goes on trying in the background for ten minutes, which keeps no process alive.
   */
  async revoke({ refreshToken }: TokenSet): Promise<void> {
    // A public client can never revoke (spec, "POST /oauth/revoke"): it forgets.
    if (this.#settings.clientSecret === undefined || this.#underWay.has(refreshToken)) return;
    this.#underWay.add(refreshToken);
    const error = await this.#attempt(refreshToken);
    if (error === undefined || !isInconclusive(error)) {
      this.#underWay.delete(refreshToken);
      return;
    }
    this.#settings.logger.warn(
      'The tokens of a session that ended could not be revoked yet. The kit goes on trying for ten minutes.',
      failureDetails(error),
    );
    void this.#goOn(refreshToken);
  }

  async #goOn(refreshToken: string): Promise<void> {
    const again = async () => {
      const error = await this.#attempt(refreshToken);
      if (isInconclusive(error)) throw error;
    };
    try {
      await this.#insistence.start(refreshToken, again, { longestPauseMs: LONGEST_PAUSE_MS });
    } catch (error) {
      this.#settings.logger.error(
        'The tokens of a session that ended were not revoked: nobody holds them, and they end by themselves.',
        failureDetails(error),
      );
    } finally {
      this.#underWay.delete(refreshToken);
    }
  }

  /** What kept the token from being revoked. A refusal is told at once: asking again would not change it. */
  async #attempt(refreshToken: string): Promise<unknown> {
    try {
      await revokeToken(this.#service, { token: refreshToken, hint: 'refresh_token' });
      return undefined;
    } catch (error) {
      if (!isInconclusive(error)) {
        this.#settings.logger.error(
          'The service refused to revoke the tokens of a session that ended.',
          failureDetails(error),
        );
      }
      return error;
    }
  }
}
