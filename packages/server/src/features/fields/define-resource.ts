import * as z from 'zod';

/** What a value is. It decides the column, the control of a form, the flag and the type in JSON. */
type FieldKind = 'text' | 'number' | 'money' | 'instant' | 'flag' | 'choice' | 'list';

/** Field of an entity, with its words on each surface. */
export interface ResourceField {
  /** Accepts a given value. Its base type decides the kind. */
  readonly schema: z.ZodType;
  /** Value of a new record that is created without the field. Fields without it are required. */
  readonly initial?: unknown;
  /** True if it never changes. */
  readonly isFixed?: true;
  /** True for an amount in the minor unit of the record's currency. Pages show it in the major unit. */
  readonly isMoney?: true;
  /** True for an instant in milliseconds since the epoch. */
  readonly isInstant?: true;
  readonly label: string;
  readonly hint?: string;
  /** Hint in the form of a new record only. */
  readonly hintWhenNew?: string;
  /** Hint where the value changes. @default the hint */
  readonly hintOfChange?: string;
  /** Maximum number of characters that a page lets people type. */
  readonly maxLength?: number;
  /** Control on pages, where it isn't the one of the kind. */
  readonly control?: 'lines' | 'literal' | 'select';
  /** Values of a choice with their labels, in the order of pages. */
  readonly choices?: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, ResourceField>>;

type CreateShape<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends { initial: unknown }
    ? z.ZodDefault<F[Name]['schema']>
    : F[Name]['schema'];
};

/** Names of the fields that never change. */
export type FixedName<F> = { [Name in keyof F]: F[Name] extends { isFixed: true } ? Name : never }[keyof F];

type ChangeShape<F extends Fields> = {
  -readonly [Name in Exclude<keyof F, FixedName<F>>]: F[Name]['schema'];
};

type Initial<F extends Fields> = {
  [Name in keyof F as F[Name] extends { initial: unknown } ? Name : never]: z.output<F[Name]['schema']>;
};

/** Field with what its schema says. */
export interface DescribedField extends ResourceField {
  readonly name: string;
  /** Name in the database. */
  readonly column: string;
  readonly kind: FieldKind;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** Allowed values of a choice. */
  readonly options: readonly string[];
}

/** An entity, stated once. Each surface is a projection of its fields. */
export interface Resource<F extends Fields = Fields> {
  readonly fields: readonly DescribedField[];
  /** Settings of a new record. */
  readonly create: z.ZodObject<CreateShape<F>>;
  /** Settings that a record can change. All are required: use `partial()` for a part of them. */
  readonly change: z.ZodObject<ChangeShape<F>>;
  readonly initial: Initial<F>;
  /** Fields by name, as they were stated. */
  readonly stated: F;
}

/** States an entity: its fields in the order of forms, help and tables, and at most one rule about several of them. */
export function defineResource<const F extends Fields>(stated: {
  readonly fields: F;
  /** Adds a rule about several fields. */
  readonly rule?: (create: Resource<NoInfer<F>>['create']) => Resource<NoInfer<F>>['create'];
}): Resource<F> {
  const fields = Object.entries(stated.fields).map(([name, field]) => describe(name, field));
  const described = (field: DescribedField, schema = field.schema) =>
    schema.meta({ title: field.label, description: aboutOf(field) });
  const shapeOf = (of: readonly DescribedField[], schema: (field: DescribedField) => z.ZodType) =>
    Object.fromEntries(of.map((field) => [field.name, schema(field)]));
  const create = z.object(
    shapeOf(fields, (field) =>
      described(field, field.isRequired ? field.schema : field.schema.default(field.initial)),
    ),
  ) as unknown as Resource<F>['create'];
  const changing = fields.filter(({ isFixed }) => isFixed !== true);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  return {
    fields,
    stated: stated.fields,
    create: stated.rule?.(create) ?? create,
    change: z.object(shapeOf(changing, (field) => described(field))) as unknown as Resource<F>['change'],
    initial: Object.fromEntries(optional.map(({ name, initial }) => [name, initial])) as Initial<F>,
  };
}

/** Description for programs: command line, control API and tools. */
function aboutOf({ label, hint, isMoney }: ResourceField): string {
  if (isMoney) return `${label} in the minor unit of the currency: 900 is 9.00 EUR.`;
  return hint === undefined ? `${label}.` : `${label}. ${hint}`;
}

function describe(name: string, field: ResourceField): DescribedField {
  let base = field.schema;
  while (base instanceof z.ZodNullable || base instanceof z.ZodReadonly) base = base.unwrap() as z.ZodType;
  return {
    ...field,
    name,
    column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    kind: field.isMoney ? 'money' : field.isInstant ? 'instant' : kindOf(base),
    isNullable: field.schema instanceof z.ZodNullable,
    isRequired: !('initial' in field),
    options: base instanceof z.ZodEnum ? base.options.map(String) : [],
  };
}

function kindOf(base: z.ZodType): FieldKind {
  if (base instanceof z.ZodArray) return 'list';
  if (base instanceof z.ZodBoolean) return 'flag';
  if (base instanceof z.ZodNumber) return 'number';
  return base instanceof z.ZodEnum ? 'choice' : 'text';
}
