/** Header of every answer of the control API, which tells it from other programs. Browsers read it without zod. */
export const CONTROL_HEADER = 'Sandbox-Control';
