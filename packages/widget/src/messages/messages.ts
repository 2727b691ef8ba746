import { en, type Messages } from './en.js';
import { languageKey, MESSAGES_CHANGED, registeredMessages } from './registry.js';

/**
 * Returns the texts for a BCP 47 language tag: those of the longest registered part, such as `zh-Hans` for `zh-Hans-CN`,
 * else English.
 */
export function messagesFor(language: string): Messages {
  const registered = registeredMessages();
  for (const parts = languageKey(language).split('-'); parts.length > 0; parts.pop()) {
    const messages = registered[parts.join('-')];
    if (messages) return messages;
  }
  return en;
}

/**
 * Calls back when the texts of an element may have changed. Either a language was registered, or a `lang` changed, on the
 * page or in a shadow tree that contains the element.
 *
 * @returns a function that stops it.
 */
export function watchMessages(element: HTMLElement, callback: () => void): () => void {
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
