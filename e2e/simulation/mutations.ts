import type { Mutation } from './load-module.ts';

/** Mistake in the widget's code, with the invariant that it violates. */
export interface PlantedMistake {
  name: string;
  invariant: string;
  /** Seed with which few schedules find it. */
  seed: number;
  /** Absent if the browser lacks Web Locks instead. */
  mutation?: Mutation;
}

/** Mistake in a site, with the sessions in which it is planted. */
export interface PlantedSiteMistake {
  name: string;
  invariant: string;
  seed: number;
  sessions: 'sealed' | 'store';
  /** Mutation of the kit, or of the widget. Absent if the processes lack the lock instead. */
  kit?: Mutation;
  widget?: Mutation;
}

/** Mistakes that the simulation must find in the kit, and in tabs whose session it holds. */
export const PLANTED_SITE_MISTAKES: readonly PlantedSiteMistake[] = [
  {
    name: 'requests of one process do not share a refresh',
    invariant: 'one refresh is in flight',
    ...{ seed: 2, sessions: 'sealed' },
    kit: {
      find: 'this.#pending.get(tokensKey(newest)) ?? this.#start(newest)',
      replace: 'this.#start(newest)',
    },
  },
  {
    name: 'processes refresh without a lock',
    invariant: 'one refresh is in flight',
    ...{ seed: 1, sessions: 'store' },
  },
  {
    name: 'a process sends a token whose successor it has received',
    invariant: 'a spent refresh token is never sent again',
    ...{ seed: 2, sessions: 'sealed' },
    kit: {
      find: 'const settled = this.#find(tokensKey(session));\n\t\tif (settled === void 0) return void 0;',
      replace: 'return void 0; const settled = void 0;',
    },
  },
  {
    name: 'a sign-in expires after a minute',
    invariant: 'no sign-out without a cause',
    ...{ seed: 1, sessions: 'sealed' },
    kit: {
      find: 'return now >= session.createdAt + lifetime.absoluteMs ||',
      replace: 'return now >= session.createdAt + 6e4 ||',
    },
  },
  {
    name: 'a sign-out leaves copies of the cookie valid',
    invariant: 'no access after a sign-out',
    ...{ seed: 7, sessions: 'sealed' },
    kit: {
      find: 'async end(id) {\n\t\tthis.#ended.set(id, true);\n\t}',
      replace: 'async end(id) {}',
    },
  },
  {
    name: 'a sign-out leaves the record of the session in the store',
    invariant: 'no access after a sign-out',
    ...{ seed: 5, sessions: 'store' },
    kit: { find: 'return await this.#records.end(id);', replace: 'return undefined;' },
  },
  {
    name: 'all sessions have the user of the first one',
    invariant: 'sessions never mix users',
    ...{ seed: 1, sessions: 'sealed' },
    kit: {
      find: 'return await fetchUserIdentity(service, { accessToken: tokens.accessToken });',
      replace:
        'return await (service.user ??= fetchUserIdentity(service, { accessToken: tokens.accessToken }));',
    },
  },
  {
    name: 'a refresh without a response ends the session',
    invariant: 'no sign-out without a cause',
    ...{ seed: 4, sessions: 'store' },
    kit: {
      find: 'if (isOAuthClientError(error) && error.code === "invalid_grant") return { kind: "rejected" };',
      replace: 'if (isOAuthClientError(error)) return { kind: "rejected" };',
    },
  },
  {
    name: 'a rejected access token counts as an outage of the service',
    invariant: 'no access after a revocation',
    ...{ seed: 4, sessions: 'sealed' },
    kit: {
      find: 'if (renewed === void 0) throw signInRequired();',
      replace: 'if (renewed === void 0) throw new DirectoryUnavailableError("rejected");',
    },
  },
  {
    name: 'memberships are cached for an hour',
    invariant: 'no access after a membership',
    ...{ seed: 14, sessions: 'store' },
    kit: {
      find: 'isWithin(now - snapshot.fetchedAt, 6e4)',
      replace: 'isWithin(now - snapshot.fetchedAt, 36e5)',
    },
  },
  {
    name: 'a webhook leaves the cached memberships',
    invariant: 'a webhook ends access at its process',
    ...{ seed: 1, sessions: 'store' },
    kit: { find: 'this.#snapshots.delete(user);\n\t\tthis.#failures', replace: 'this.#failures' },
  },
  {
    name: 'memberships that were in flight during a webhook are cached',
    invariant: 'a webhook ends access at its process',
    ...{ seed: 14, sessions: 'sealed' },
    kit: { find: 'request > forgottenAt && ', replace: '' },
  },
  {
    name: 'a page that is shown again does not read its session',
    invariant: 'all tabs converge',
    ...{ seed: 2, sessions: 'sealed' },
    widget: { find: 'if (!this.#session && !this.#provider.mayHaveSession) return;', replace: 'return;' },
  },
  {
    name: 'a page repeats a failed read at once',
    invariant: 'no request loop',
    ...{ seed: 6, sessions: 'sealed' },
    widget: { find: 'now + retryPause(this.#failures)', replace: 'now' },
  },
];

/** Mistakes that the simulation must find in tabs that share localStorage. */
export const PLANTED_MISTAKES: readonly PlantedMistake[] = [
  { name: 'tabs refresh without a lock', invariant: 'one refresh is in flight', seed: 5 },
  {
    name: 'the tokens of a refresh are stored after a sign-out',
    invariant: 'a session that ended is never restored',
    seed: 6,
    mutation: {
      find: 'signal.throwIfAborted();\n\t\tif (!this.#isStored(spent)) return this.#current();',
      replace: 'signal.throwIfAborted();',
    },
  },
  {
    name: 'a sign-out reaches no other tab',
    invariant: 'a session that ended is never restored',
    seed: 5,
    mutation: { find: 'this.#tabs.post({ type: "signed-out" });', replace: '' },
  },
  {
    name: 'a new attempt leaves the old one running',
    invariant: 'a late answer counts only until a new attempt starts',
    seed: 5,
    mutation: { find: 'attempt?.abort.abort();', replace: '' },
  },
];
