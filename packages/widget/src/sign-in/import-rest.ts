/** The exports of the rest. */
export type Rest = typeof import('./rest.js');

/** Imports the rest of the widget. In the build of `latchkey.js`, `script-rest.ts` replaces this module. */
export const importRest = (_serviceUrl: string): Promise<Rest> => import('./rest.js');
