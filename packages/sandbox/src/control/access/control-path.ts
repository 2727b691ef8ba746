/** Path of the control API. `requests/endpoint-of.ts` excludes its calls from the log. */
export const CONTROL_PATH = '/sandbox/api';
