import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from './en.js';
import { messagesFor } from './messages.js';
import { MESSAGES_CHANGED, registeredMessages, registerMessages } from './registry.js';

const language = (locale: string) => ({ ...en, locale });
const clear = () => {
  for (const locale of Object.keys(registeredMessages())) delete registeredMessages()[locale];
};

describe('the texts of a language', () => {
  beforeEach(clear);
  afterEach(() => {
    clear();
    vi.unstubAllGlobals();
  });

  it('are those of the longest registered part of a tag, else English', () => {
    const [german, austrian] = [language('de'), language('de-AT')];
    registerMessages(german);
    registerMessages(austrian);
    expect(messagesFor('de-AT')).toBe(austrian);
    expect(messagesFor('de_at')).toBe(austrian);
    expect(messagesFor('de-AT-1996')).toBe(austrian);
    expect(messagesFor('de-CH')).toBe(german);
    expect(messagesFor('de-CH-1996')).toBe(german);
    expect(messagesFor('de')).toBe(german);
    expect(messagesFor('nl')).toBe(en);
  });

  it('of a region are not those of the language', () => {
    registerMessages(language('pt-BR'));
    expect(messagesFor('pt')).toBe(en);
    expect(messagesFor('pt-PT')).toBe(en);
  });

  it.each(['', '-', 'constructor', '__proto__', 'toString'])('are English for %j', (lang) => {
    expect(messagesFor(lang)).toBe(en);
  });

  it('replace those that were registered before', () => {
    registerMessages(language('de'));
    const own = language('de');
    registerMessages(own);
    expect(messagesFor('de')).toBe(own);
  });

  it('are shared by all copies of the widget on a page', () => {
    const own = language('de');
    registerMessages(own);
    const page = globalThis as unknown as Record<symbol, Record<string, unknown>>;
    expect(page[Symbol.for('latchkey.messages')]?.de).toBe(own);
    expect(registeredMessages()).toBe(registeredMessages());
  });

  it('are announced to the elements when they are in place', () => {
    const announced: unknown[] = [];
    const own = language('de');
    vi.stubGlobal('dispatchEvent', ({ type }: Event) => announced.push([type, messagesFor('de')]));
    registerMessages(own);
    expect(MESSAGES_CHANGED).not.toBe('');
    expect(announced).toStrictEqual([[MESSAGES_CHANGED, own]]);
  });

  it('are registered where there is no window', () => {
    vi.stubGlobal('dispatchEvent', undefined);
    expect(() => registerMessages(language('de'))).not.toThrow();
  });
});
