import * as z from 'zod';
import { isLoopbackHost } from '../../command-line/service-values.js';
import { doctorCommand } from '../../doctor/doctor-command.js';
import { runCommand } from '../frame/run-command.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

const runDoctor = sandboxTool({
  name: 'run_doctor',
  title: 'Check the integration',
  description:
    'Runs the checks of "latchkey doctor". With site, it reads pages of a site on this machine, and returns findings about the site, its backend and the sandbox. Without, it checks the sandbox: endpoints, CORS, the client, its redirect URI and its widget origin. Each finding has a remedy. Changes nothing.',
  effect: 'reads',
  input: z.object({
    site: z
      .array(z.url().max(2_000).refine(isOnThisMachine, 'must be on a loopback address'))
      .max(5)
      .optional()
      .describe('Pages of the site on this machine, such as http://localhost:3000.'),
    clientId: z.string().max(60).optional().describe('Client of the site.'),
    redirectUri: z.string().max(2_000).optional().describe('Redirect URI of the site; needs clientId.'),
    origin: z.string().max(300).optional().describe('Origin of the pages with the widget.'),
  }),
  output: z.looseObject({}),
  async run(input, { target }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const settings = { ...given, ...target, service: target.sandbox, json: true };
    const [report = {}] = await runCommand(doctorCommand, settings);
    return report;
  },
});

/** Tools of the doctor. */
export const doctorTools = [runDoctor];

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}
