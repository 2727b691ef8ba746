import { createContext } from 'preact';

/** Preferences of the visitor that a page is rendered for. */
export interface Visitor {
  /** BCP 47 locale of numbers and prices. The texts are English. */
  readonly locale: string;
}

/** Locale of a visitor who states none that is known. */
export const DEFAULT_LOCALE = 'en-GB';

/** Visitor of the page that is being rendered. */
export const VisitorContext = createContext<Visitor>({ locale: DEFAULT_LOCALE });
