import { OperatorError } from '@latchkey/server';
import type { Needs } from '../services/services.js';

/** Data to start with, and what to try with it. */
export interface Scenario {
  readonly title: string;
  readonly summary: string;
  readonly suggestions: readonly string[];
  /** Notes about people, by email address. */
  readonly notes: Readonly<Record<string, string>>;
  /** Writes the data in addition to the sample data. Writing it again is a no-op. */
  write(services: ScenarioServices): Promise<void>;
}

export type ScenarioServices = Needs<'baseUrl' | 'clock' | 'db' | 'operator' | 'serviceNames'>;

/** Ignores an error that the record already exists. */
export async function unlessExists(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
  }
}
