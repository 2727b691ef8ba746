/** Entry of the second script tag, as a classic script or a module. Its build waits for `latchkey.js`. */
// The bundler keeps this order, which compresses better.
import './checkout/plans-element.styles.js';
import './plans.js';
