import * as z from 'zod';
import {
  type ChangeShape,
  defineResource,
  type Fields,
  labelOf,
  type Resource,
  type ResourceField,
  type Rule,
} from './define-resource.js';
import { INSTANT } from './fields.js';

export const OWNER_KINDS = {
  userId: 'users',
  ownerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
} as const;

export type OwnerField = keyof typeof OWNER_KINDS;

interface RecordSettings {
  /** What one record is called in a sentence. */
  readonly one: string;
  readonly table: string;
  /** Columns that are shown, never those with secrets or their hashes. */
  readonly columns: readonly string[];
  readonly searched: readonly string[];
  /** Fields to filter a list by. @default none */
  readonly owners?: readonly OwnerField[];
  /** Columns to sort by. The two together must be unique. @default the time of creation, and the id */
  readonly order?: readonly [string, string];
  /** Columns that identify a record. Several are joined with `~`. @default the id */
  readonly id?: readonly string[];
  /** How the service itself ends a record: by deleting, archiving or revoking it. Absent if it never does. */
  readonly end?: {
    readonly summary: string;
    readonly button: string;
    readonly isFinal?: true;
  };
}

interface Write<Body extends z.ZodObject> {
  readonly summary: string;
  readonly body: Body;
}

/** The records of an entity. Command line, control API, console and operator area are projections of it. */
export interface Records<F extends Fields = Fields>
  extends Required<Omit<RecordSettings, 'end'>>,
    Pick<RecordSettings, 'end'>,
    Pick<Resource<F>, 'fields' | 'stated'> {
  readonly create: Write<Resource<F>['create']>;
  /** Absent if the service never changes a record. */
  readonly change?: Write<
    z.ZodObject<{ [Name in keyof ChangeShape<F>]: z.ZodOptional<ChangeShape<F>[Name]> }>
  > & {
    /** Fields that give the record a new secret. The operator area leaves them out and so never gets to see one. */
    readonly secretFields?: readonly string[];
  };
}

/** Declares the records of an entity: its fields, how to find them, and sentences about its operations. */
export function defineRecords<const F extends Fields>({
  fields: stated,
  rule,
  create,
  change,
  ...settings
}: RecordSettings & {
  readonly fields: F;
  readonly rule?: Rule<NoInfer<F>> | undefined;
  readonly create: string;
  readonly change?: string;
}): Records<F> {
  type Derived = Pick<Records<F>, 'fields' | 'create' | 'change'>;
  let known: Derived | undefined;
  const derive = () => {
    const resource = defineResource<F>({ fields: withTimeZones(stated), rule });
    const changing = resource.fields.filter(({ isFixed }) => !isFixed);
    const secretFields = changing.flatMap(({ name, makesSecret }) => (makesSecret ? [name] : []));
    // If there is only one field to change, it's required.
    const changes = changing.length === 1 ? resource.change : resource.change.partial();
    const secrets = secretFields.length > 0 && { secretFields };
    return {
      fields: resource.fields,
      create: { summary: create, body: resource.create.strict() },
      ...(change !== undefined && { change: { summary: change, body: changes.strict(), ...secrets } }),
    } as Derived;
  };
  // Derived on first use: most servers start without needing it.
  const once = () => (known ??= derive());
  return {
    ...{ owners: [], order: ['created_at', 'id'], id: ['id'], stated, ...settings },
    get fields() {
      return once().fields;
    },
    get create() {
      return once().create;
    },
    get change() {
      return once().change;
    },
  } as Records<F>;
}

/** Returns the fields, with instants as operators write them: in ISO 8601 with a time zone. */
function withTimeZones<F extends Fields>(stated: F): F {
  const fields = Object.entries<ResourceField>(stated).map(([name, field]) => {
    if (!field.isInstant) return [name, field];
    const schema = field.schema instanceof z.ZodNullable ? INSTANT.nullable() : INSTANT;
    return [name, { ...field, schema, label: `${field.label ?? labelOf(name)} (UTC)` }];
  });
  return Object.fromEntries(fields) as F;
}
