import { en, type Messages } from './en.js';
import { knownMessages, MESSAGES_CHANGED } from './registry.js';

/** The texts for a language as `lang` names it (BCP 47): of the region, else of the language, else English. */
export function messagesFor(language: string): Messages {
  const known = knownMessages();
  return known[language] ?? known[language.split('-')[0] ?? ''] ?? en;
}

/** Calls back when the texts may have changed: a language was added, or the page's `lang` is another. */
export function whenMessagesChange(tell: () => void, signal: AbortSignal): void {
  addEventListener(MESSAGES_CHANGED, tell, { signal });
  const observer = new MutationObserver(tell);
  observer.observe(document.documentElement, { attributeFilter: ['lang'] });
  signal.addEventListener('abort', () => observer.disconnect());
}
