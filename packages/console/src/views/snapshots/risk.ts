import type { ScenarioEntry } from '@latchkey/sandbox';
import type { ControlApi } from '../../api/control-api.js';
import { snapshotPath } from './snapshot-path.js';

/** Call that replaces or deletes something. The visitor confirms its consequences before it runs. */
export interface Risk {
  readonly heading: string;
  readonly consequences: readonly string[];
  readonly button: string;
  readonly done: string;
  run(): Promise<unknown>;
}

const DROPPED = 'Mail, request log, exchanges of deliveries and faults are dropped.';

export function resetting(api: ControlApi, { name, title }: Pick<ScenarioEntry, 'name' | 'title'>): Risk {
  return {
    heading: `Reset to “${title}”?`,
    consequences: [
      'All data are deleted, and everybody is signed out.',
      'The clock is set back to the real time.',
      DROPPED,
      'Stored snapshots stay.',
    ],
    button: 'Reset sandbox',
    done: `The sandbox was reset to “${title}”.`,
    run: () => api.post('/reset', { scenario: name }),
  };
}

/** The save of a snapshot under a name that another one has. */
export function replacing(name: string, save: () => Promise<unknown>): Risk {
  return {
    heading: `Replace the snapshot ${name}?`,
    consequences: ['The stored snapshot of this name is lost.'],
    button: 'Replace snapshot',
    done: `Saved ${name}.`,
    run: save,
  };
}

export function loading(api: ControlApi, name: string): Risk {
  return {
    heading: `Load the snapshot ${name}?`,
    consequences: [
      'All present data are replaced, sessions and tokens included.',
      'The clock is set to the time of the snapshot.',
      DROPPED,
    ],
    button: 'Load snapshot',
    done: `Loaded ${name}.`,
    run: () => api.post(`${snapshotPath(name)}/load`),
  };
}

export function deleting(api: ControlApi, name: string): Risk {
  return {
    heading: `Delete the snapshot ${name}?`,
    consequences: ['It cannot be loaded any more. The present data stay.'],
    button: 'Delete snapshot',
    done: `Deleted ${name}.`,
    run: () => api.delete(snapshotPath(name)),
  };
}
