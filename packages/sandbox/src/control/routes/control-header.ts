/**
 * Header in every response of the control API, which tells it from other programs. In its own file, so browsers don't
 * load zod.
 */
export const CONTROL_HEADER = 'Sandbox-Control';
