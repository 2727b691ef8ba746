import { serviceNamesOption } from '@latchkey/contract';
import {
  DEFAULT_SERVICE_NAMES,
  type ServiceNames,
  type ServiceNamesOption,
} from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';

/** Fills in the spec's stand-ins. @throws Error that says which part of the option `serviceNames` is invalid. */
export function parseServiceNames(option: unknown): ServiceNames {
  const parsed = serviceNamesOption.safeParse(option);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = ['serviceNames', ...issue.path.map(String)].join('.');
    if (issue.code === 'unrecognized_keys') {
      return `Option "${name}" has the unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}. Its keys are apiKeyPrefix, headerPrefix and messenger.`;
    }
    return `Option "${name}" ${issue.message}`;
  });
  throw new Error(problems.join(' '));
}

/**
 * Records the service's names at the first use of a database, and checks them at every later use. If several processes
 * start at once, the first one decides. Without `wanted`, the recorded names count. @throws Error if it has others.
 */
export async function recordServiceNames(db: Database, wanted: ServiceNamesOption | undefined) {
  const names = wanted && parseServiceNames(wanted);
  const recorded = (await readNames(db)) ?? (await insertNames(db, names ?? DEFAULT_SERVICE_NAMES));
  if (names !== undefined && !areSame(recorded, names)) throw otherNames(recorded, names);
  return recorded;
}

/** Replaces the names of the service in the database. `replaced` contains the previous ones if they differ. */
export async function replaceServiceNames(db: Database, wanted: ServiceNamesOption | undefined) {
  const names = parseServiceNames(wanted);
  const recorded = (await readNames(db)) ?? (await insertNames(db, names));
  if (areSame(recorded, names)) return { names };
  await db.updateTable('service_names').set(rowOf(names)).execute();
  return { names, replaced: recorded };
}

/** Returns the names on one line, for messages: `apiKeyPrefix "svc_", headerPrefix "X-Svc-", messenger "messenger"`. */
function describeServiceNames(names: ServiceNames): string {
  return keysOf(names)
    .map((key) => `${key} "${names[key]}"`)
    .join(', ');
}

async function readNames(db: Database): Promise<ServiceNames | undefined> {
  const row = await db.selectFrom('service_names').selectAll().executeTakeFirst();
  return (
    row && { apiKeyPrefix: row.api_key_prefix, headerPrefix: row.header_prefix, messenger: row.messenger }
  );
}

async function insertNames(db: Database, names: ServiceNames): Promise<ServiceNames> {
  await db
    .insertInto('service_names')
    .values({ id: 1, ...rowOf(names) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await readNames(db)) ?? names;
}

function rowOf({ apiKeyPrefix, headerPrefix, messenger }: ServiceNames) {
  return { api_key_prefix: apiKeyPrefix, header_prefix: headerPrefix, messenger };
}

const keysOf = (names: ServiceNames) => Object.keys(names) as (keyof ServiceNames)[];

function areSame(one: ServiceNames, other: ServiceNames): boolean {
  return keysOf(one).every((key) => one[key] === other[key]);
}

function otherNames(recorded: ServiceNames, wanted: ServiceNames): Error {
  const json = JSON.stringify(wanted);
  return new Error(
    `Option "serviceNames" is ${describeServiceNames(wanted)}, but the database has ${describeServiceNames(recorded)}. All processes on a database need the same names. To rename the service, stop its processes and run: latchkey migrate --replace-service-names --service-names '${json}'. API keys of another prefix then stop working.`,
  );
}
