import { en, type Messages } from './en.js';
import { MESSAGES_CHANGED, registeredMessages } from './registry.js';

/** Returns the texts for a BCP 47 language tag: of the region, else of the language, else English. */
export function messagesFor(language: string): Messages {
  const registered = registeredMessages();
  return registered[language] ?? registered[language.split('-')[0] ?? ''] ?? en;
}

/**
 * Calls back when the texts of an element may have changed: a language was registered, or the `lang` of the page or of the
 * element changed.
 *
 * @returns a function that stops it.
 */
export function watchMessages(element: HTMLElement, callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  for (const target of [document.documentElement, element]) {
    observer.observe(target, { attributeFilter: ['lang'] });
  }
  addEventListener(MESSAGES_CHANGED, callback);
  return () => {
    observer.disconnect();
    removeEventListener(MESSAGES_CHANGED, callback);
  };
}
