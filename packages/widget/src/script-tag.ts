/** The file behind the script tag: one file, classic or module, that registers both elements. */
import './script-origin.js';
import './define.js';
