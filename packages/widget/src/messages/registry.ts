import type { Messages } from './en.js';

/** Shared by every copy of the widget on the page, and by the files of the languages. */
const REGISTRY = Symbol.for('latchkey.messages');

/** What the window is told when a language was added. */
export const MESSAGES_CHANGED = 'latchkey-messages';

/** The languages that were added, by `lang`. */
export function knownMessages(): Record<string, Messages> {
  const page = globalThis as { [REGISTRY]?: Record<string, Messages> };
  page[REGISTRY] ??= Object.create(null) as Record<string, Messages>;
  return page[REGISTRY];
}

/** Adds a language, or replaces one, at any time; what is on the page changes with it. */
export function registerMessages(messages: Messages): void {
  knownMessages()[messages.locale] = messages;
  globalThis.dispatchEvent?.(new Event(MESSAGES_CHANGED));
}
