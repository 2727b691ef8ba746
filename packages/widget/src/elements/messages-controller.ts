import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Messages } from '../messages/en.js';
import { messagesFor, watchMessages } from '../messages/messages.js';

/** Selects the texts of an element by the nearest `lang`, and updates the element when they change. */
export class MessagesController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  #overrides: Partial<Messages> | undefined;
  #disconnect = () => {};

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  get messages(): Messages {
    return { ...messagesFor(languageOf(this.#host)), ...this.#overrides };
  }

  /** Replaces single texts. */
  set overrides(overrides: Partial<Messages> | undefined) {
    this.#overrides = overrides;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#disconnect = watchMessages(this.#host, () => this.#host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#disconnect();
  }
}

/** Returns the nearest `lang`, also outside of the shadow trees that contain the element. */
function languageOf(element: Element): string {
  const named = element.closest<HTMLElement>('[lang]');
  if (named) return named.lang;
  const { host } = element.getRootNode() as ShadowRoot;
  return host ? languageOf(host) : '';
}
