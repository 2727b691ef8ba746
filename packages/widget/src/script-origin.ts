/** Reads the origin of the script tag, before the elements are defined. It is the default service. */
import { setScriptOrigin } from './browser/addresses.js';

/** The script's own tag. A module has no `currentScript`, so it looks for a tag that loads a file of this name. */
const own =
  document.currentScript ?? [...document.scripts].find(({ src }) => /\/latchkey\.js([?#]|$)/.test(src));

if (own instanceof HTMLScriptElement && own.src) setScriptOrigin(new URL(own.src).origin);
