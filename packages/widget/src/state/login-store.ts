import { logForOwner } from './login-failure.js';
import { type LoginEvent, type LoginState, transition } from './login-state.js';
import { type SessionSnapshot, snapshotOf } from './session-snapshot.js';

type Listener = (snapshot: SessionSnapshot) => void;

/** Holds the state of one session and notifies listeners of each change. */
export class LoginStore {
  readonly #listeners = new Set<Listener>();
  readonly #onChange: (state: LoginState) => void;
  #state: LoginState;
  #snapshot: SessionSnapshot;

  /** @param onChange is called before the listeners. */
  constructor(initial: LoginState, onChange: (state: LoginState) => void) {
    this.#state = initial;
    this.#snapshot = snapshotOf(initial);
    this.#onChange = onChange;
  }

  get state(): LoginState {
    return this.#state;
  }

  get snapshot(): SessionSnapshot {
    return this.#snapshot;
  }

  readonly dispatch = (event: LoginEvent): void => {
    const before = this.#state;
    const next = transition(before, event);
    if (next === before) return;
    this.#state = next;
    const snapshot = snapshotOf(next);
    this.#snapshot = snapshot;
    if (next.failure && next.failure !== before.failure) logForOwner(next.failure);
    this.#onChange(next);
    for (const listener of [...this.#listeners]) {
      try {
        listener(snapshot);
      } catch (error) {
        // An error in one listener must not keep the others from the change.
        reportError(error);
      }
    }
  };

  /** @returns a function that removes the listener. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
