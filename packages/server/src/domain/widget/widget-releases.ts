import type { Database } from '../../platform/database/open-database.js';

/** Stores all files of a release. Storing a release again changes nothing. */
export async function keepWidgetRelease(
  db: Database,
  { name, contents }: { name: string; contents: Readonly<Record<string, string>> },
  now: number,
): Promise<void> {
  const files = Object.entries(contents).map(([file, content]) => ({
    release: name,
    file,
    content,
    released_at: now,
  }));
  await db
    .insertInto('widget_files')
    .values(files)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findWidgetFile(db: Database, release: string, file: string) {
  const row = await db
    .selectFrom('widget_files')
    .select('content')
    .where('release', '=', release)
    .where('file', '=', file)
    .executeTakeFirst();
  return row?.content;
}
