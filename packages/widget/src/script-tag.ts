/** Entry of the script tag, as a classic script or a module. Registers both elements. */
import './script-origin.js';
import './define.js';
