import * as z from 'zod';
import { sandboxTool } from '../frame/sandbox-tool.js';

const fault = z.looseObject({ id: z.string() });

const listFaults = sandboxTool({
  name: 'list_faults',
  title: 'List the faults',
  description: 'Lists the faults of the sandbox, and how many calls each has changed.',
  effect: 'reads',
  input: z.object({}),
  output: z.looseObject({ faults: z.array(fault) }),
  run: (_, sandbox) => sandbox.get('/faults'),
});

const addFault = sandboxTool({
  name: 'add_fault',
  title: 'Add a fault',
  description:
    'Adds a fault, to test what an integration does then. latency waits. status answers in place of the endpoint. reset resets the connection before the call, answer-lost after the endpoint has done its work. malformed sends half of the body. drip sends the body in ten parts.',
  effect: 'changes',
  input: z.object({
    effect: z.looseObject({
      kind: z.string().max(40).describe('latency, status, reset, answer-lost, malformed or drip.'),
      ms: z.int().min(1).optional().describe('Milliseconds, for latency and drip.'),
      status: z.int().optional().describe('Status of the answer from 400 to 599, for status.'),
    }),
    endpoint: z
      .string()
      .max(60)
      .optional()
      .describe('Name of the endpoint, such as token or provisionExternal. Without it, all logged calls.'),
    client: z
      .string()
      .max(300)
      .optional()
      .describe('Client id, key name, or id or email of the key’s owner.'),
    times: z.int().min(1).optional().describe('Changes this many calls, then no more.'),
    rate: z.number().gt(0).max(1).optional().describe('Share of the calls that are changed.'),
    seed: z.int().min(0).optional().describe('The same seed changes the same calls, for rate.'),
  }),
  output: fault,
  run: (input, sandbox) => sandbox.post('/faults', input),
});

const clearFaults = sandboxTool({
  name: 'clear_faults',
  title: 'Clear the faults',
  description: 'Removes one fault, or all of them.',
  effect: 'changes',
  input: z.object({
    id: z
      .string()
      .regex(/^[\w-]{1,40}$/, 'must be an id such as fault_1')
      .optional()
      .describe('Id of a fault. Without it, all faults are removed.'),
  }),
  output: z.object({ cleared: z.string() }),
  ifUnknown: 'Call list_faults for the ids.',
  async run({ id }, sandbox) {
    await sandbox.delete(id === undefined ? '/faults' : `/faults/${id}`);
    return { cleared: id ?? 'all' };
  },
});

/** Tools of the faults. */
export const faultTools = [listFaults, addFault, clearFaults];
