/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import '@latchkey/oauth';
import './login/placement.js';
import './state/login-state.js';
import './browser/addresses.js';
import './element/shared.js';
import './script-origin.js';
import './messages/en.js';
import './messages/messages.js';
import './element/session-element.js';
import './state/membership-rule.js';
import './script-element-rest.js';
import './state/widget-events.js';
import './element/theme.styles.js';
import 'lit';
import './login/login-element.styles.js';
import './messages/registry.js';
import './gate/gate-element.styles.js';
import './login/login-element.js';
import './define.js';
