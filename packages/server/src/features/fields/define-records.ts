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

/** Fields by which records belong to another one, and the kind of that one. */
export const OWNER_KINDS = {
  userId: 'users',
  ownerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
} as const;

/** Field by which a record belongs to another one. */
export type OwnerField = keyof typeof OWNER_KINDS;

interface RecordSettings {
  /** One record, in a sentence. */
  readonly one: string;
  readonly table: string;
  /** Columns that are shown. Those with secrets and their hashes are never among them. */
  readonly columns: readonly string[];
  /** Columns that a search looks at. */
  readonly searched: readonly string[];
  /** Fields by which a list can be limited. @default none */
  readonly owners?: readonly OwnerField[];
  /** Columns of the order, the last of them unique together with the first. @default the time of creation, and the id */
  readonly order?: readonly [string, string];
  /** Columns that identify a record. Several are joined with `~`. @default the id */
  readonly id?: readonly string[];
  /** End of a record by the service's own operation: a deletion, an archiving, a revocation. Absent where it has none. */
  readonly end?: {
    readonly summary: string;
    /** What it does, as a button says it. */
    readonly button: string;
    /** True if nothing restores what it ends. */
    readonly isFinal?: true;
  };
}

/** What an operation takes, and a sentence for the documentation. */
interface Write<Body extends z.ZodObject> {
  readonly summary: string;
  readonly body: Body;
}

/** Records of an entity. Command line, control API, console and operator area are projections of it. */
export interface Records<F extends Fields = Fields>
  extends Required<Omit<RecordSettings, 'end'>>,
    Pick<RecordSettings, 'end'>,
    Pick<Resource<F>, 'fields'> {
  readonly create: Write<Resource<F>['create']>;
  /** Absent where the service never changes a record. */
  readonly change?: Write<
    z.ZodObject<{ [Name in keyof ChangeShape<F>]: z.ZodOptional<ChangeShape<F>[Name]> }>
  > & {
    /** Fields that give the record a new secret. The operator area leaves them out, so that it never has one. */
    readonly secretFields?: readonly string[];
  };
}

/** States the records of an entity: its fields, how they are found, and sentences about its operations. */
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
    // A change of the only field has it.
    const changes = changing.length === 1 ? resource.change : resource.change.partial();
    const secrets = secretFields.length > 0 && { secretFields };
    return {
      fields: resource.fields,
      create: { summary: create, body: resource.create.strict() },
      ...(change !== undefined && { change: { summary: change, body: changes.strict(), ...secrets } }),
    } as Derived;
  };
  // Derived with the first use: most servers start without.
  const once = () => (known ??= derive());
  return {
    ...{ owners: [], order: ['created_at', 'id'], id: ['id'], ...settings },
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

/** Returns the fields with instants as operators write them: in ISO 8601 with a time zone. */
function withTimeZones<F extends Fields>(stated: F): F {
  const fields = Object.entries<ResourceField>(stated).map(([name, field]) => {
    if (!field.isInstant) return [name, field];
    const schema = field.schema instanceof z.ZodNullable ? INSTANT.nullable() : INSTANT;
    return [name, { ...field, schema, label: `${field.label ?? labelOf(name)} (UTC)` }];
  });
  return Object.fromEntries(fields) as F;
}
