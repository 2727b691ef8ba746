import { columns } from '../command-line/columns.js';
import type { AdminResult } from './operations/admin-operation.js';

/** The result of an operation as text for people. */
export function resultText({ message, facts = {}, secrets = [] }: AdminResult): string {
  const rows = Object.entries(facts).map(([name, value]) => {
    const note = secrets.includes(name) ? '   (shown only once: store it now)' : '';
    return [name, `${value ?? 'none'}${note}`] as const;
  });
  return rows.length === 0 ? message : `${message}\n${columns(rows)}`;
}
