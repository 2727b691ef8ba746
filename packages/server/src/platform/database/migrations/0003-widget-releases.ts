import type { Kysely, Migration } from '../kysely/kysely.js';

/** The widget's files that pages have pinned: they are served for as long as a page may ask for them. */
export const widgetReleases: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('widget_files')
      .addColumn('release', 'text', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('released_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('widget_files_key', ['release', 'file'])
      .execute();
  },
};
