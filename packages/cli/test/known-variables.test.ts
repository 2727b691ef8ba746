import { expect, it } from 'vitest';
import type * as z from 'zod';
import { adminSettings } from '../src/admin/admin-command.js';
import { fileVariable, flagsOf } from '../src/command-line/flag.js';
import { conformanceSettings } from '../src/conformance/conformance-settings.js';
import { controlSettings } from '../src/control/control-client.js';
import { doctorSettings } from '../src/doctor/doctor-settings.js';
import { KNOWN_VARIABLES } from '../src/environment.js';
import { migrateCommand } from '../src/migrate/migrate-command.js';
import { sandboxCommand } from '../src/sandbox/sandbox-command.js';
import { serveCommand } from '../src/serve/serve-command.js';

function variablesOf(settings: z.ZodObject): string[] {
  return flagsOf(settings).flatMap(({ meta: { variable, isSecret = false } }) => {
    if (variable === undefined) return [];
    return isSecret ? [variable, fileVariable(variable)] : [variable];
  });
}

it('the known variables are those that the commands read', () => {
  const read = [
    ...variablesOf(serveCommand.settings),
    ...variablesOf(sandboxCommand.settings),
    ...variablesOf(migrateCommand.settings),
    ...variablesOf(doctorSettings),
    ...variablesOf(conformanceSettings),
    ...variablesOf(adminSettings),
    ...variablesOf(controlSettings),
  ];
  expect(KNOWN_VARIABLES.toSorted()).toEqual([...new Set(read)].toSorted());
});
