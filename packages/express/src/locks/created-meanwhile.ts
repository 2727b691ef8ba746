/**
 * What `create table if not exists` can run into when another process creates the same table at the same moment:
 * unique_violation, duplicate_table, or duplicate_object for the table's row type (PostgreSQL, appendix A).
 */
const CREATED_MEANWHILE: ReadonlySet<unknown> = new Set(['23505', '42P07', '42710']);

/** Whether a table could not be created because another process has just done so. */
export function isCreatedMeanwhile(error: unknown): boolean {
  return typeof error === 'object' && error !== null && CREATED_MEANWHILE.has(Reflect.get(error, 'code'));
}
