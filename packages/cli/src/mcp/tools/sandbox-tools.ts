import type { SandboxTool } from '../frame/sandbox-tool.js';
import { clockTools } from './clock-tools.js';
import { dataTools } from './data-tools.js';
import { docsTools } from './docs-tools.js';
import { doctorTools } from './doctor-tools.js';
import { eventTools } from './event-tools.js';
import { faultTools } from './fault-tools.js';
import { integrationTools } from './integration-tools.js';
import { logTools } from './log-tools.js';
import { snapshotTools } from './snapshot-tools.js';

/** All tools, in the order in which an integration needs them. */
export const SANDBOX_TOOLS: readonly SandboxTool[] = [
  ...docsTools,
  ...integrationTools,
  ...dataTools,
  ...eventTools,
  ...logTools,
  ...clockTools,
  ...faultTools,
  ...snapshotTools,
  ...doctorTools,
];
