import { columns } from '../command-line/help-text.js';
import type { AdminOutcome } from './admin-command.js';

/** What people see of an outcome. */
export function outcomeText({ done, facts = {}, shownOnce = [] }: AdminOutcome): string {
  const rows = Object.entries(facts).map(([name, value]) => {
    const note = shownOnce.includes(name) ? '   (told this once: keep it now)' : '';
    return [name, `${value ?? 'none'}${note}`] as const;
  });
  return rows.length === 0 ? done : `${done}\n${columns(rows)}`;
}
