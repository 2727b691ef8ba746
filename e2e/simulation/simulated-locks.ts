/** Request of a page for a lock. */
export interface LockRequest<Page> {
  readonly page: Page;
  readonly name: string;
  state: 'waiting' | 'held' | 'over';
  grant(): void;
}

/** Creates the Web Locks of one browser. The simulation grants them. */
export function createLocks<Page>() {
  const locks: LockRequest<Page>[] = [];
  const remove = (lock: LockRequest<Page>) => {
    lock.state = 'over';
    locks.splice(locks.indexOf(lock), 1);
  };
  return {
    /** Requests that can be granted. */
    grantable: () =>
      locks.filter(
        (lock, index) =>
          lock.state === 'waiting' &&
          !locks.slice(0, index).some(({ name, state }) => name === lock.name && state !== 'over'),
      ),
    /** Runs work while its page holds the lock. */
    request: (
      { page, name, signal }: { page: Page; name: string; signal: AbortSignal },
      work: () => Promise<unknown>,
    ) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const onAbort = () => {
          if (lock.state !== 'waiting') return;
          remove(lock);
          reject(signal.reason);
        };
        const lock: LockRequest<Page> = {
          page,
          name,
          state: 'waiting',
          grant() {
            lock.state = 'held';
            signal.removeEventListener('abort', onAbort);
            const running = work();
            running.then(resolve, reject);
            const release = () => lock.state === 'held' && remove(lock);
            running.then(release, release);
          },
        };
        locks.push(lock);
        signal.addEventListener('abort', onAbort);
      }),
    /** Releases what a page holds, and drops its requests. */
    release(page: Page): void {
      for (const lock of [...locks]) if (lock.page === page) remove(lock);
    },
  };
}
