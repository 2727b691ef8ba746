/**
 * Lets one process at a time renew a session. `redisLock` and `postgresLock` create one. A custom lock needs only this
 * method.
 */
export interface SessionLock {
  /**
   * Acquires the lock if it is free. Does not wait.
   * @param key Letters, digits, `-` and `_`.
   * @param ttlMs Milliseconds after which the lock expires, even if its holder has died.
   * @returns A function that releases this acquisition and no later one, or undefined if the lock is taken.
   * @throws Any error if the state of the lock is unknown. The session is then not renewed.
   */
  acquire(key: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
}
