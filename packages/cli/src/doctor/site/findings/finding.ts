import type { FINDING_SEVERITIES } from './finding-severities.js';
import type { Fix } from './fix.js';

/** Stable code of a finding. Each has an entry in docs/doctor.md. */
export type FindingCode = keyof typeof FINDING_SEVERITIES;

/** Misconfiguration of a site. */
export interface Finding {
  readonly code: FindingCode;
  /** URL or file that is wrong. */
  readonly where: string;
  /** Sentences that state what is wrong. Parts of them can come from the site. */
  readonly meaning: string;
  /** Sentences that name the setting to change. */
  readonly action: string;
  /** Change of the sandbox that removes the finding. Absent if the site itself must change. */
  readonly fix?: Fix | undefined;
}

/** Examines one thing. Returns no finding if it is fine. */
export type SiteCheck<Target> = (target: Target) => readonly Finding[] | Promise<readonly Finding[]>;
