import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second, the unit of /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process, its children, and its children that ended, in microseconds; NaN without /proc. */
export function processorMicros(root) {
  if (root === undefined) return Number.NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter((stat) => stat !== undefined && (stat.pid === root || stat.parent === root));
  const ticks = all.reduce((sum, stat) => sum + stat.ticks + (stat.pid === root ? stat.childTicks : 0), 0);
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** Returns the process that started a process; `undefined` without /proc. */
export function parentOf(pid) {
  return statOf(pid)?.parent;
}

/** Fields of /proc/<pid>/stat; `undefined` if the process ended. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      ticks: user + system,
      childTicks: childUser + childSystem,
    };
  } catch {
    return undefined;
  }
}
