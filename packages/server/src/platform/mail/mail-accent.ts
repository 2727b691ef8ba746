import { oklchOf } from '../colours/oklch.js';
import { firstReadable, TEXT_CONTRAST } from '../colours/readable-colour.js';

/** Background of a mail's card in the dark scheme. */
export const DARK_CARD = '#1b201f';

/** Colours of buttons and links for both schemes. Each has a contrast of at least 4.5 with its card and its label. */
export interface MailAccent {
  /** Colour on white, and background under a white label. */
  readonly light: string;
  /** Colour on {@link DARK_CARD}, and background under a label of that colour. */
  readonly dark: string;
}

/** Derives readable colours from `#rrggbb`: darker for the light scheme and lighter for the dark one, as far as necessary. */
export function mailAccent(accent: string): MailAccent {
  const brand = oklchOf(accent);
  return {
    light: firstReadable(brand, { towards: -1, against: ['#ffffff'], contrast: TEXT_CONTRAST }),
    dark: firstReadable(brand, { towards: 1, against: [DARK_CARD], contrast: TEXT_CONTRAST }),
  };
}
