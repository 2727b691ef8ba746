import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Messages, OwnMessages } from '../messages/en.js';
import { messagesFor, watchMessages } from '../messages/messages.js';

/** Selects the texts of an element by the nearest `lang`, and updates the element when they change. */
export class MessagesController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  #overrides: OwnMessages | undefined;
  #disconnect = () => {};

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  get messages(): Messages {
    const messages: Record<string, unknown> = { ...messagesFor(languageOf(this.#host)) };
    for (const [name, text] of Object.entries(this.#overrides ?? {}))
      messages[name] = typeof text === 'object' ? { ...Object(messages[name]), ...text } : text;
    return messages as Messages;
  }

  /** Replaces single texts, also of a group such as `failures`. */
  set overrides(overrides: OwnMessages | undefined) {
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
