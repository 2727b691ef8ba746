import * as z from 'zod';
import { SCENARIO_NAMES, type Scenarios } from '../../scenario/scenarios.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { Snapshots } from './snapshots.js';

/** Maximum size of an imported file in bytes. A shop with 10,000 members has about 18 MB. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Endpoints of resets, scenarios and snapshots. */
export function snapshotRoutes(snapshots: Snapshots, scenarios: Scenarios): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'POST',
      path: '/reset',
      summary: `Deletes all data, sets the clock to the real time and begins with a scenario: ${SCENARIO_NAMES.join(', ')}.`,
      body: z.strictObject({ scenario: z.enum(SCENARIO_NAMES).default('sample-data') }),
      handle: ({ body }) => snapshots.reset(body.scenario),
    }),
    controlRoute({
      method: 'GET',
      path: '/scenarios',
      summary: 'Lists the scenarios: a sentence about the data of each, and what to try with them.',
      handle: () => ({ scenarios: scenarios.list() }),
    }),
    controlRoute({
      method: 'GET',
      path: '/snapshots',
      summary: 'Lists the stored snapshots.',
      handle: () => ({ snapshots: snapshots.list() }),
    }),
    controlRoute({
      method: 'POST',
      path: '/snapshots/{name}',
      summary: 'Stores all data and the time under a name.',
      handle: ({ params: { name = '' } }) => snapshots.save(name),
    }),
    controlRoute({
      method: 'GET',
      path: '/snapshots/{name}',
      summary: 'Exports a snapshot as one JSON file.',
      handle: ({ params: { name = '' } }) => snapshots.export(name),
    }),
    controlRoute({
      method: 'DELETE',
      path: '/snapshots/{name}',
      summary: 'Removes a snapshot.',
      handle: ({ params: { name = '' } }) => snapshots.remove(name),
    }),
    controlRoute({
      method: 'POST',
      path: '/snapshots/{name}/load',
      summary: 'Replaces all data and the time. Mail, request log and faults are dropped.',
      handle: ({ params: { name = '' } }) => snapshots.load(name),
    }),
    controlRoute({
      method: 'POST',
      path: '/snapshots/{name}/import',
      summary: 'Stores an exported file under a name. The file is the body.',
      body: z.unknown(),
      bodyLimit: FILE_BYTES_MAX,
      handle: ({ params: { name = '' }, body }) => snapshots.import(name, body),
    }),
  ];
}
