import { isDeepStrictEqual } from 'node:util';
import { formFieldsOf, RECORD_KINDS, type RecordKind, recordKind } from '@latchkey/server/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ADMIN_COMMANDS, settingsOf, singularOf } from '../src/admin/admin-command.js';
import { flagsOf } from '../src/command-line/flag.js';
import { type ControlSandbox, startControlSandbox } from './control/control-sandbox.js';

const WRITES = { create: 'post', change: 'patch' } as const;
type Verb = keyof typeof WRITES;

/** A field as a surface has it: its words, and which values it accepts. */
interface Shown {
  readonly label?: string | undefined;
  readonly about?: string | undefined;
  readonly options?: readonly string[];
  /** JSON Schema without its words. */
  readonly limits?: unknown;
}
type Surface = Readonly<Record<string, Shown>>;

/** Returns the description of a field in JSON Schema, and its limits. */
const jsonOf = (schema: z.ZodType) => {
  const body = z.toJSONSchema(z.object({ schema }), { io: 'input', unrepresentable: 'any' });
  const { title: _, description, default: __, ...limits } = Object(body.properties?.schema);
  return { description, limits };
};

/** Values around every limit. */
const SAMPLES = [
  ...['', ' ', 'x', 'x'.repeat(90), 'x'.repeat(250), 'x'.repeat(3_000), 'a\u202eb', 'a@b.example', '#b4541a'],
  ...[0, 1, 1.5, -1, 40_000, 1e12, true, false, null, '2027-01-31T12:00:00Z', 'https://shop.example'],
  ...[[], ['x'], ['x'.repeat(90)], Array(9).fill('x'), Array(60).fill('https://shop.example')],
];
const acceptedBy = (schema: z.ZodType) => SAMPLES.map((sample) => schema.safeParse(sample).success);

/** Fields that a body takes, as the resource states them. */
function statedFor(kind: RecordKind, verb: Verb) {
  const { fields } = recordKind(kind);
  return fields.filter(({ isFixed, isLater }) => (verb === 'create' ? !isLater : !isFixed));
}

/** Returns what a surface lacks, or has otherwise than the resource. */
function gaps(kind: RecordKind, verb: Verb, surface: Surface): string[] {
  const stated = statedFor(kind, verb);
  const body = recordKind(kind)[verb]?.body;
  const names = stated.map(({ name }) => name);
  const surplus = Object.keys(surface).filter((name) => !names.includes(name));
  const wrong = stated.flatMap(({ name, label, options }) => {
    const shown = surface[name];
    const schema = body?.shape[name] as z.ZodType;
    if (shown === undefined) return [`lacks ${name}`];
    const { description, limits } = jsonOf(schema);
    const differs = {
      label: shown.label !== undefined && shown.label !== label,
      about: shown.about !== undefined && shown.about !== description,
      options: shown.options !== undefined && shown.options.join() !== options.join(),
      limits: shown.limits !== undefined && !isDeepStrictEqual(shown.limits, limits),
    };
    return Object.entries(differs).flatMap(([what, isOther]) => (isOther ? [`${what} of ${name}`] : []));
  });
  return [...wrong, ...surplus.map((name) => `has ${name}`)];
}

function flags(kind: RecordKind, verb: Verb): Surface {
  const command = ADMIN_COMMANDS.find((one) => one.verb === verb && one.name === singularOf(kind));
  if (command === undefined) return {};
  const own = flagsOf(settingsOf(command)).filter(({ setting }) => setting in command.values.shape);
  // The argument of a change is the record itself.
  const shown = own.filter(({ meta }) => !meta.isArgument);
  return Object.fromEntries(
    shown.map(({ setting, meta, choices }) => [setting, { about: meta.description, options: choices }]),
  );
}

function consoleForm(kind: RecordKind, verb: Verb): Surface {
  const place = verb === 'create' ? 'create' : 'edit';
  const shown = formFieldsOf(kind).filter((field) => (field.in ?? place) === place);
  const unasked = ['id', 'clientId', 'hostedCallback'].filter((name) =>
    statedFor(kind, verb).some((field) => field.name === name && !shown.some((one) => one.name === name)),
  );
  return {
    ...Object.fromEntries(shown.map(({ name, label, options = [] }) => [name, { label, options }])),
    // Forms leave ids to the service, and no record shows whether the hosted callback is on.
    ...Object.fromEntries(unasked.map((name) => [name, {}])),
  };
}

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { requestBody?: { content: { 'application/json': { schema: { properties: object } } } } }
        >
      >
    >
  >;
}

function controlApi({ paths }: Described, kind: RecordKind, verb: Verb): Surface {
  const path = `/sandbox/api/data/${kind}${verb === 'create' ? '' : '/{id}'}`;
  const schema = paths[path]?.[WRITES[verb]]?.requestBody?.content['application/json'].schema;
  const entries = Object.entries<Record<string, unknown>>({ ...schema?.properties });
  return Object.fromEntries(
    entries.map(([name, { title, description, default: _, ...limits }]) => [
      name,
      { label: String(title), about: String(description), limits },
    ]),
  );
}

describe('each field of each resource', () => {
  let sandbox: ControlSandbox;
  let described: Described;
  beforeAll(async () => {
    sandbox = await startControlSandbox();
    const headers = { authorization: `Bearer ${sandbox.controlToken}` };
    described = await (await fetch(`${sandbox.baseUrl}/sandbox/api/openapi.json`, { headers })).json();
  });
  afterAll(() => sandbox.close());

  const calls = RECORD_KINDS.flatMap((kind) =>
    (Object.keys(WRITES) as Verb[])
      .filter((verb) => recordKind(kind)[verb] !== undefined)
      .map((verb) => [verb, kind] as const),
  );

  it.for(calls)('of %s %s is a flag, in the console, in the control API and in the tools', ([verb, kind]) => {
    expect(gaps(kind, verb, flags(kind, verb))).toEqual([]);
    expect(gaps(kind, verb, consoleForm(kind, verb))).toEqual([]);
    // `describe_objects` returns these schemas to assistants, and `latchkey seed` sends these bodies.
    expect(gaps(kind, verb, controlApi(described, kind, verb))).toEqual([]);
  });

  it.for(calls)('of %s %s has the limits of its resource', ([verb, kind]) => {
    for (const { name, schema, isNullable, isOptional, isInstant } of statedFor(kind, verb)) {
      if (isInstant) continue;
      const body = recordKind(kind)[verb]?.body.shape[name] as z.ZodType;
      const mayRemove = isNullable || (isOptional === true && verb === 'change');
      const expected = acceptedBy(schema).map((isValid, at) => (SAMPLES[at] === null ? mayRemove : isValid));
      expect([name, acceptedBy(body)]).toEqual([name, expected]);
    }
  });

  it('is missed where a surface leaves it out, or has other words or limits', () => {
    const { url: _, ...without } = controlApi(described, 'webhooks', 'create');
    expect(gaps('webhooks', 'create', without)).toEqual(['lacks url']);
    const { role, ...others } = controlApi(described, 'operators', 'change');
    const planted = { ...role, label: 'Rank', limits: { type: 'string' } };
    expect(gaps('operators', 'change', { ...others, role: planted, level: {} })).toEqual([
      ...['label of role', 'limits of role', 'has level'],
    ]);
    const { email, ...flagged } = flags('users', 'create');
    expect(gaps('users', 'create', { ...flagged, email: { ...email, about: 'Mail.' } })).toEqual([
      'about of email',
    ]);
  });
});
