import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that pages load, relative to the widget's folder. */
export const WIDGET_FILES = [
  'latchkey.js',
  'latchkey-plans.js',
  'callback.js',
  'messages/registry.js',
  ...['ar', 'de', 'es', 'fr', 'ja', 'pt'].map((language) => `messages/${language}.js`),
] as const;

/** Build of the widget. */
export interface WidgetRelease {
  /** Hash of the contents, so that each build has its own name. */
  name: string;
  contents: Readonly<Record<string, string>>;
}

/** File of a release, for a script tag with an integrity hash. */
interface ReleasedFile {
  /** Permanent URL. The content at this URL never changes. */
  url: string;
  /** Value of the `integrity` attribute (Subresource Integrity). */
  integrity: string;
}

/** Reads the build in a folder. Returns `undefined` if a file is missing, because the widget is not built. */
async function readWidgetRelease(directory: string): Promise<WidgetRelease | undefined> {
  const contents: Record<string, string> = {};
  const hash = createHash('sha256');
  for (const file of WIDGET_FILES) {
    const content = await readFile(join(directory, file), 'utf8').catch(() => undefined);
    if (content === undefined) return undefined;
    hash.update(`${file}\n${content}\n`);
    contents[file] = content;
  }
  return { name: hash.digest('hex').slice(0, 16), contents };
}

/**
 * Creates a reader that reads and hashes the build again only after one of its files has changed. A request then costs one
 * `stat` per file.
 */
export function createReleaseReader(directory: string | undefined): () => Promise<WidgetRelease | undefined> {
  let read: { state: string; release: Promise<WidgetRelease | undefined> } | undefined;
  return async () => {
    if (directory === undefined) return undefined;
    const files = await Promise.all(
      WIDGET_FILES.map((file) => stat(join(directory, file)).catch(() => undefined)),
    );
    const state = files.map((file) => (file ? `${file.mtimeMs} ${file.size} ${file.ino}` : 'none')).join();
    if (read?.state !== state) read = { state, release: readWidgetRelease(directory) };
    return await read.release;
  };
}

/** Returns the URLs and integrity hashes with which a page can pin a release. */
export function describeRelease({ name, contents }: WidgetRelease, baseUrl: string) {
  const files = Object.entries(contents).map(([file, content]): [string, ReleasedFile] => [
    file,
    {
      url: `${baseUrl}/widget/${name}/${file}`,
      integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
    },
  ]);
  return { name, files: Object.fromEntries(files) };
}
