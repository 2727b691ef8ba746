import type { Operator } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';

/** Parts of a running sandbox that a scenario writes with. */
export interface ScenarioContext {
  readonly db: Database;
  readonly operator: Operator;
  readonly baseUrl: string;
  readonly apiKeyPrefix: string;
  /** Time of the service, in milliseconds since the epoch. */
  readonly now: number;
}

/** Data to begin with, and what to try with them. */
export interface Scenario {
  readonly title: string;
  /** A sentence about the data. */
  readonly summary: string;
  readonly suggestions: readonly string[];
  /** Notes about people, by email address. */
  readonly notes: Readonly<Record<string, string>>;
  /** Writes the data beside the sample data. Writing them again changes nothing. */
  write(context: ScenarioContext): Promise<void>;
}
