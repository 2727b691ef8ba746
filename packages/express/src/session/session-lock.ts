/**
 * Keeps the processes of an app from renewing the same session at once. `redisLock` and `postgresLock` are two; any
 * other takes a method.
 */
export interface SessionLock {
  /**
   * Takes the lock if nobody holds it; it does not wait.
   * @param key Names what is locked: letters, digits, `-` and `_`.
   * @param ttlMs After this many milliseconds the lock is free again, whatever became of its holder.
   * @returns what releases it (and only this very hold, should it have expired meanwhile), or undefined when somebody
   * else holds it. Rejects when nobody can tell; the session is then not renewed.
   */
  acquire(key: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
}
