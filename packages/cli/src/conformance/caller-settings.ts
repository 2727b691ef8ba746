import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { serviceNames } from '../command-line/service-names-value.js';

/** Address at which the service listens by default. An app is configured once for it. */
const DEFAULT_LISTEN = '127.0.0.1:4490';

const listen = z.string().transform((text, context) => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && Number(port) <= 65_535) {
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  }
  context.addIssue({ code: 'custom', message: `must be an address such as ${DEFAULT_LISTEN}` });
  return z.NEVER;
});

const file = (description: string) =>
  z
    .string()
    .regex(/\S/, 'must not be empty')
    .exactOptional()
    .meta({ group: 'Report', placeholder: 'file', description });

/** Settings of `latchkey conformance caller`. */
export const callerSettings = z.object({
  profile: z
    .string()
    .regex(/\S/, 'must not be empty')
    .exactOptional()
    .meta({ placeholder: 'file', description: 'JSON file that names the actions of your app.' }),
  run: z
    .string()
    .regex(/\S/, 'must not be empty')
    .exactOptional()
    .meta({ placeholder: 'command', description: 'Command that exercises your app, once for each script.' }),
  script: z.array(z.string()).default(['all']).meta({
    placeholder: 'name',
    defaultText: 'all',
    description: 'Script of the service, with --run or by hand. "list" prints the names.',
  }),
  listen: listen
    .default({ host: '127.0.0.1', port: 4490 })
    .meta({ placeholder: 'address', defaultText: DEFAULT_LISTEN, description: 'Address of the service.' }),
  serviceNames: serviceNames.default(DEFAULT_SERVICE_NAMES).meta({ defaultText: 'svc_, X-Svc-, messenger' }),
  junit: file('Write the report as JUnit XML.'),
  html: file('Write the report as one HTML file.'),
  json: z
    .boolean()
    .default(false)
    .meta({ group: 'Report', description: 'Print the report as one line of JSON.' }),
  verbose: z
    .boolean()
    .default(false)
    .meta({ group: 'Report', description: 'Also list the rules that are kept.' }),
});

/** Settings after parsing. */
export type CallerSettings = z.output<typeof callerSettings>;
