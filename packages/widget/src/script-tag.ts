/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './script-element-rest.js';
import '@latchkey/oauth';
import './state/widget-events.js';
import './state/membership-rule.js';
import './gate/gate-rule.js';
import './state/login-state.js';
import './element/session-element.js';
import './gate/gate-element.styles.js';
import './login/login-element.styles.js';
import './login/icons.js';
import './browser/addresses.js';
import './messages/en.js';
import './sign-in/sign-in.js';
import './login/login-element.js';
import './messages/messages.js';
import './login/placement.js';
import './element/theme.styles.js';
import './session/renewal.js';
import './gate/gate-element.js';
import './script-origin.js';
import './messages/registry.js';
import './define.js';
import 'lit';
import './element/shared.js';
