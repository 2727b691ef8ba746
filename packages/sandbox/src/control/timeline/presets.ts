import type { Database } from '@latchkey/server/extension';
import {
  codeExpiries,
  dropTurns,
  membershipTurns,
  type Occasion,
  renewals,
  type TimeRange,
  tokenExpiries,
} from './occasions.js';

/** Names of the instants that the clock can be moved to. */
export const CLOCK_PRESETS = [
  'next-code-expiry',
  'access-token-expiry',
  'refresh-token-expiry',
  'next-renewal',
  'next-membership-end',
  'next-drop-start',
] as const;

/** Name of an instant that depends on the data. */
export type ClockPresetName = (typeof CLOCK_PRESETS)[number];

const SEARCHES: Readonly<Record<ClockPresetName, (db: Database, range: TimeRange) => Promise<Occasion[]>>> = {
  'next-code-expiry': codeExpiries,
  'access-token-expiry': (db, range) => tokenExpiries(db, range, 'access-token-expiry'),
  'refresh-token-expiry': (db, range) => tokenExpiries(db, range, 'refresh-token-expiry'),
  'next-renewal': renewals,
  'next-membership-end': (db, range) => membershipTurns(db, range, 'membership-end'),
  'next-drop-start': (db, range) => dropTurns(db, range, 'drop-start'),
};

/** Returns the next occasion of a preset after an instant, up to another one; `undefined` if the data contain none. */
export async function findPreset(
  db: Database,
  name: ClockPresetName,
  range: TimeRange,
): Promise<Occasion | undefined> {
  const found = await SEARCHES[name](db, { ...range, limit: 1 });
  return found.toSorted((one, other) => one.at - other.at)[0];
}
