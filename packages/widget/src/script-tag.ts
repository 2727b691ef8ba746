/** Entry of the script tag, as a classic script or a module. Registers both elements. */
// The bundler keeps this order. Adjacent style sheets, then the texts, and the login before the gate, compress better.
import './gate/gate-element.styles.js';
import './login/login-element.styles.js';
import './element/theme.styles.js';
import './messages/en.js';
import './script-origin.js';
import './login/login-element.js';
import './define.js';
