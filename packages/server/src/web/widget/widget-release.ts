import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that pages load, relative to the widget's folder. */
export const WIDGET_FILES = [
  'latchkey.js',
  'callback.js',
  'messages/registry.js',
  ...['ar', 'de', 'es', 'fr', 'ja', 'pt'].map((language) => `messages/${language}.js`),
] as const;

/** One build of the widget. */
export interface WidgetRelease {
  /** Names the release by what is in it: another build has another name. */
  name: string;
  contents: Readonly<Record<string, string>>;
}

/** One file of a release, for a script tag that cannot be given another one. */
interface ReleasedFile {
  /** Where it is and stays; what it holds never changes. */
  url: string;
  /** For the tag's `integrity` attribute (Subresource Integrity). */
  integrity: string;
}

/** Reads the build in a folder; `undefined` while a file is missing, because the widget is not built. */
export async function readWidgetRelease(directory: string): Promise<WidgetRelease | undefined> {
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

/** What a page needs to pin a release. */
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
