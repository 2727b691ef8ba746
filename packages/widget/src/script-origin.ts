/** Tells the elements where the script tag came from, before they are defined. */
import { setDefaultServiceUrl } from './elements/default-service-url.js';

/** A classic script knows its own element; a module does not, and looks for one that loaded a file of this name. */
const own =
  document.currentScript ?? [...document.scripts].find(({ src }) => /\/latchkey[^/]*\.js([?#]|$)/.test(src));

if (own instanceof HTMLScriptElement && own.src) setDefaultServiceUrl(new URL(own.src).origin);
