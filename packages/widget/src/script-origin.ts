/** Reads the address of the script tag, before the elements are defined. Its origin is the default service. */
import { setScriptOrigin } from './browser/addresses.js';

/** The script's own tag. A module has no `currentScript`, so look for a tag that loads a file with this name. */
const own =
  document.currentScript ??
  [...document.scripts].find(({ src }) => /\/latchkey(-all)?\.js([?#]|$)/.test(src));

export const { src, nonce } = own instanceof HTMLScriptElement ? own : { src: '', nonce: '' };

// Tools that delay scripts turn them into `blob:` or `data:` addresses.
if (/^http/.test(src)) setScriptOrigin(new URL(src).origin);
