/** What the rest of a session exports. */
export type Rest = Pick<typeof import('../session/loaded-session.js'), 'loadedSession'>;

/** Imports the rest of a session. In the build of `latchkey.js`, `script-rest.ts` replaces this module. */
export const importRest = (_serviceUrl: string): Promise<Rest> => import('../session/loaded-session.js');
