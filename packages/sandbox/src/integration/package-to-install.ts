/**
 * Returns what `npm install` takes for a package of this repository: until the first release, the file that
 * `npm run pack` made. The install lines in all documents agree with it (`scripts/test/install-lines.test.ts`).
 */
export const packageToInstall = (name: string): string => `../latchkey/packed/${name}.tgz`;
