/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './state/membership-rule.js';
import './messages/messages.js';
import 'lit';
import './script-origin.js';
import './browser/addresses.js';
import './state/login-state.js';
import './script-element-rest.js';
import './element/session-element.js';
import './messages/en.js';
import './gate/gate-element.styles.js';
import './messages/registry.js';
import './login/login-element.styles.js';
import './login/login-element.js';
import './login/placement.js';
import './sign-in/sign-in.js';
import '@latchkey/oauth';
import './gate/gate-rule.js';
import './state/widget-events.js';
import './element/theme.styles.js';
import './element/shared.js';
import './gate/gate-element.js';
import './login/icons.js';
import './define.js';
import './session/renewal.js';
