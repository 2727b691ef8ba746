import type { ReactiveControllerHost } from 'lit';
import { en, type Messages, type OwnMessages } from './en.js';
import { languageKey, MESSAGES_CHANGED, registeredMessages } from './registry.js';

/**
 * Returns the messages for a BCP 47 language tag, by its longest registered prefix: for `zh-Hans-CN`, this can be
 * `zh-Hans`. Falls back to English.
 */
export function messagesFor(language: string): Messages {
  const registered = registeredMessages();
  for (const parts = languageKey(language).split('-'); parts.length > 0; parts.pop()) {
    const messages = registered[parts.join('-')];
    if (messages) return messages;
  }
  return en;
}

/** Selects an element's messages by the nearest `lang`, and updates the element when they change. */
export function selectMessages(host: ReactiveControllerHost & HTMLElement) {
  let overrides: OwnMessages = {};
  let disconnect = () => {};
  const update = () => host.requestUpdate();
  const controller = {
    get messages(): Messages {
      const messages: Record<string, unknown> = { ...messagesFor(languageOf(host)) };
      for (const [name, text] of Object.entries(overrides))
        messages[name] = typeof text === 'object' ? { ...Object(messages[name]), ...text } : text;
      return messages as Messages;
    },

    /** Overrides single messages, also within a group such as `failures`. Replaces all earlier overrides. */
    replace(texts: OwnMessages): void {
      overrides = texts;
      update();
    },

    hostConnected(): void {
      disconnect = watchMessages(host, update);
    },

    hostDisconnected(): void {
      disconnect();
    },
  };
  host.addController(controller);
  return controller;
}

/** Returns the nearest `lang`, also from outside the shadow trees that contain the element. */
function languageOf(element: Element): string {
  const named = element.closest<HTMLElement>('[lang]');
  if (named) return named.lang;
  const { host } = element.getRootNode() as ShadowRoot;
  return host ? languageOf(host) : '';
}

/**
 * Calls back when an element's messages may have changed: a language was registered, or a `lang` changed on the page or
 * in a shadow tree that contains the element.
 *
 * @returns a function that stops watching.
 */
function watchMessages(element: HTMLElement, callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  for (let root: Node | undefined = element; root; root = (root as ShadowRoot).host) {
    root = root.getRootNode();
    observer.observe(root, { subtree: true, attributeFilter: ['lang'] });
  }
  addEventListener(MESSAGES_CHANGED, callback);
  return () => {
    observer.disconnect();
    removeEventListener(MESSAGES_CHANGED, callback);
  };
}
