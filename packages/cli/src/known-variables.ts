import { adminVariables } from './admin/admin-command.js';
import { variablesOf } from './command-line/flag.js';
import { conformanceSettings } from './conformance/conformance-settings.js';
import { controlVariables } from './control/add-control-commands.js';
import { doctorSettings } from './doctor/settings/doctor-settings.js';
import { migrateCommand } from './migrate/migrate-command.js';
import { sandboxCommand } from './sandbox/sandbox-command.js';
import { SANDBOX_FLAG_VARIABLES } from './sandbox/serve-sandbox-flag.js';
import { serveCommand } from './serve/serve-command.js';

/** Environment variables that some command reads. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([
    ...variablesOf(serveCommand.settings),
    ...variablesOf(sandboxCommand.settings),
    ...variablesOf(migrateCommand.settings),
    ...variablesOf(doctorSettings),
    ...variablesOf(conformanceSettings),
    ...adminVariables,
    ...controlVariables,
    ...SANDBOX_FLAG_VARIABLES,
  ]),
];
