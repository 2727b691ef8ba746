/** Replaces `import-rest.ts` in the build of `latchkey.js`. Imports the rest of the widget and checks its hash. */
import { MESSAGES_CHANGED } from './messages/registry.js';
import { setElementRest } from './script-element-rest.js';
import { nonce, src } from './script-origin.js';
import type { Rest } from './sign-in/import-rest.js';

/** The file of the rest, its hash, and the values of `latchkey.js` that it uses. */
type Part = readonly [file: string, integrity: string, shared: unknown[]];

/** The build replaces this import with a {@link Part}. */
const part = () => import('./rest.js') as unknown as Part;

let tries = 0;

export async function importRest(serviceUrl: string): Promise<Rest> {
  const [file, integrity, shared] = part();
  let problem: unknown;
  // If a tool of the site moved, merged or inlined the script, the file isn't next to it.
  for (const folder of [src, `${serviceUrl}/widget/`].filter((one) => /^http/.test(one))) {
    try {
      const { href } = new URL(file, folder);
      // Browsers remember an address that failed, and ignore its fragment.
      const address = tries ? `${href}&try=${tries}` : href;
      await preload(address, integrity);
      const { default: create } = await import(/* @vite-ignore */ address);
      const loaded = create(shared);
      setElementRest(loaded);
      // Updates all elements.
      dispatchEvent(new Event(MESSAGES_CHANGED));
      return loaded;
    } catch (error) {
      problem ??= error;
      tries++;
    }
  }
  throw problem;
}

/** Loads a module without running it, if its contents match this hash. An import of the same address then uses it. */
function preload(href: string, integrity: string): Promise<void> {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', crossOrigin: '', integrity, nonce, href });
  return new Promise<void>((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(href));
    document.head.append(link);
  }).finally(() => link.remove());
}
