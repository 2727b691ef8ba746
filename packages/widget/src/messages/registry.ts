import type { Messages } from './en.js';

/** Key of the registry that all copies of the widget on a page share. */
const REGISTRY = Symbol.for('latchkey.messages');

/** Event of the window after a language was registered. */
export const MESSAGES_CHANGED = 'latchkey-messages';

/** Returns the key of a language tag in the registry. The letter case of tags has no meaning. */
export function languageKey(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-');
}

/** Returns the registered languages by {@link languageKey}. */
export function registeredMessages(): Record<string, Messages> {
  const page = globalThis as { [REGISTRY]?: Record<string, Messages> };
  page[REGISTRY] ??= Object.create(null) as Record<string, Messages>;
  return page[REGISTRY];
}

/** Registers or replaces a language. Elements on the page update at once. */
export function registerMessages(messages: Messages): void {
  registeredMessages()[languageKey(messages.locale)] = messages;
  globalThis.dispatchEvent?.(new Event(MESSAGES_CHANGED));
}
