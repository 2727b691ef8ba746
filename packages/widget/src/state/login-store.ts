import { logForOwner } from './login-failure.js';
import { type LoginEvent, type LoginState, transition } from './login-state.js';
import { type SessionSnapshot, snapshotOf } from './session-snapshot.js';

type Listener = (snapshot: SessionSnapshot) => void;

/** Holds the state of one session and notifies listeners of each change. */
export class LoginStore {
  readonly #listeners = new Set<Listener>();
  readonly #onChange: (state: LoginState, event: LoginEvent) => void;
  state: LoginState;
  snapshot: SessionSnapshot;

  /** @param onChange is called before the listeners. */
  constructor(state: LoginState, onChange: (state: LoginState, event: LoginEvent) => void) {
    this.state = state;
    this.snapshot = snapshotOf(state);
    this.#onChange = onChange;
  }

  dispatch(event: LoginEvent): void {
    const before = this.state;
    const state = transition(before, event);
    if (state === before) return;
    const snapshot = snapshotOf(state);
    this.state = state;
    this.snapshot = snapshot;
    if (state.failure && state.failure !== before.failure) logForOwner(state.failure);
    this.#onChange(state, event);
    for (const listener of [...this.#listeners]) {
      try {
        listener(snapshot);
      } catch (error) {
        // An error in one listener must not keep the others from the change.
        reportError(error);
      }
    }
  }

  /** @returns a function that removes the listener. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
