import type { Messages } from './en.js';

/** Global key of the registry, which all copies of the widget on a page share. */
const REGISTRY = Symbol.for('latchkey.messages');

/** Event that the window gets after a language was registered. */
export const MESSAGES_CHANGED = 'latchkey-messages';

/** Returns a language tag's key in the registry. Tags are case-insensitive (RFC 5646, section 2.1.1). */
export function languageKey(tag: string): string {
  return tag.toLowerCase().replaceAll('_', '-');
}

/** Returns the registered languages by {@link languageKey}. */
export function registeredMessages(): Record<string, Messages> {
  const page = globalThis as { [REGISTRY]?: Record<string, Messages> };
  page[REGISTRY] ??= Object.create(null) as Record<string, Messages>;
  return page[REGISTRY];
}

/** Registers or replaces a language. Elements on the page update right away. */
export function registerMessages(messages: Messages): void {
  registeredMessages()[languageKey(messages.locale)] = messages;
  globalThis.dispatchEvent?.(new Event(MESSAGES_CHANGED));
}
