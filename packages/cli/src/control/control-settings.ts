import * as z from 'zod';
import { isLoopbackHost } from '../command-line/service-values.js';
import { origin } from '../command-line/values.js';

const SANDBOX = 'Sandbox';

/** Settings of every command that calls a sandbox. */
export const controlSettings = z.object({
  sandbox: origin
    .refine(
      (text) => text.startsWith('https:') || isLoopbackHost(new URL(text).hostname),
      'must be an https origin, or http on a loopback address: the token is sent there',
    )
    .prefault('http://127.0.0.1:4400')
    .meta({
      group: SANDBOX,
      placeholder: 'origin',
      variable: 'LATCHKEY_SANDBOX_URL',
      description: 'Address of the running sandbox, as it printed it at its start.',
    }),
  json: z
    .boolean()
    .default(false)
    .meta({ group: SANDBOX, description: 'Print JSON on standard output: one line for each result.' }),
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{24,200}$/, 'must be 24 to 200 letters, digits, - or _')
    .meta({
      variable: 'LATCHKEY_SANDBOX_TOKEN',
      description: 'Token of the control API, as the sandbox printed it at its start',
      isSecret: true,
      isVariableOnly: true,
    }),
});
