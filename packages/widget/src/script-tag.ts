/** Entry of the script tag, as a classic script or a module. Registers both elements. */
import './script-origin.js';
// The bundler keeps this order. Adjacent style sheets compress better.
import './elements/gate-element.styles.js';
import './elements/login-element.styles.js';
import './elements/theme.styles.js';
import './define.js';
