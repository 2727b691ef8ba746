/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './messages/messages.js';
import './script-element-rest.js';
import './browser/addresses.js';
import './messages/registry.js';
import '@latchkey/oauth';
import './login/login-element.js';
import './login/login-element.styles.js';
import './element/session-element.js';
import './gate/gate-element.styles.js';
import './element/theme.styles.js';
import 'lit';
import './element/shared.js';
import './login/placement.js';
import './state/login-state.js';
import './state/widget-events.js';
import './messages/en.js';
import './script-origin.js';
import './state/membership-rule.js';
import './define.js';
