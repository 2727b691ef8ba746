import type { Database } from '../../platform/database/open-database.js';

/** Queries about the widget's releases that pages may have pinned. */
export interface WidgetReleaseStore {
  /** Keeps a release, whole; keeping it again changes nothing. */
  keep(release: { name: string; contents: Readonly<Record<string, string>> }, now: number): Promise<void>;
  findFile(release: string, file: string): Promise<string | undefined>;
}

export function createWidgetReleaseStore(db: Database): WidgetReleaseStore {
  return {
    async keep({ name, contents }, now) {
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
    },
    async findFile(release, file) {
      const row = await db
        .selectFrom('widget_files')
        .select('content')
        .where('release', '=', release)
        .where('file', '=', file)
        .executeTakeFirst();
      return row?.content;
    },
  };
}
