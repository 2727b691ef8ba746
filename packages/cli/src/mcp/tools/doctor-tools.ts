import * as z from 'zod';
import { doctorCommand } from '../../doctor/doctor-command.js';
import { runCommand } from '../run-command.js';
import { sandboxTool } from '../sandbox-tool.js';

const runDoctor = sandboxTool({
  name: 'run_doctor',
  title: 'Check the integration',
  description:
    'Runs the checks of "latchkey doctor" against the sandbox: endpoints, CORS, the client, its redirect URI and its widget origin. Each finding has a remedy. Changes nothing.',
  effect: 'reads',
  input: z.object({
    clientId: z.string().max(60).optional().describe('Client of the site.'),
    redirectUri: z.string().max(2_000).optional().describe('Redirect URI of the site; needs clientId.'),
    origin: z.string().max(300).optional().describe('Origin of the pages with the widget.'),
  }),
  output: z.looseObject({ service: z.string(), checks: z.array(z.looseObject({ id: z.string() })) }),
  async run(input, { target }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const [report] = await runCommand(doctorCommand, { ...given, service: target.sandbox, json: true });
    return report as { service: string; checks: { id: string }[] };
  },
});

/** Tools of the doctor. */
export const doctorTools = [runDoctor];
