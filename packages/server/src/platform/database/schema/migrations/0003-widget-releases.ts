import type { Kysely, Migration } from '../../kysely/kysely.js';

/** Creates the table of the widget's released files. Pages pin a release, so old releases must stay available. */
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
