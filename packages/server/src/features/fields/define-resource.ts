import * as z from 'zod';
import { type CamelCased, camelCased } from '../../platform/database/rows.js';

/** What a value is. It decides the column, the form control, the command-line flag and the JSON type. */
type FieldKind = 'text' | 'number' | 'money' | 'instant' | 'flag' | 'choice' | 'list';

/** A field of an entity, with its wording for each surface. */
export interface ResourceField {
  /** Accepts the value. Its base type decides the kind. */
  readonly schema: z.ZodType;
  /** The field's value in a record that is created without it. */
  readonly initial?: unknown;
  /** True if a record can do without it. Null removes it. Other fields without an initial value are required. */
  readonly isOptional?: true;
  readonly isFixed?: true;
  readonly isLater?: true;
  /** True if changing it gives the record a new secret. */
  readonly makesSecret?: true;
  /** True if turning it on vouches for the other fields. A form then only does so for the values that it showed. */
  readonly vouches?: true;
  /** True for an amount in the minor unit of the record's currency. Pages show it in the major unit. */
  readonly isMoney?: true;
  /** True for an instant in milliseconds since the epoch. */
  readonly isInstant?: true;
  /** @default derived from the field's name */
  readonly label?: string;
  readonly hint?: string;
  /** Description for programs. @default label and hint */
  readonly about?: string;
  /** Hint in the form of a new record only. */
  readonly hintWhenNew?: string;
  /** Hint in the form that changes the value. @default the hint */
  readonly hintOfChange?: string;
  /** How many characters a page lets people type. Without it, only the service checks what they typed. */
  readonly maxLength?: number;
  /** How many lines a page shows, if the text can have several. */
  readonly rows?: number;
  /** The control on pages, if it isn't the usual one for the kind. */
  readonly control?: 'email' | 'literal' | 'select';
  /** The values of a choice with their labels, in the order that pages show them. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What each value means. Pages then list the values that are here. */
  readonly choiceHints?: Readonly<Record<string, string>>;
}

export type Fields = Readonly<Record<string, ResourceField>>;

type CreateShape<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { isLater: true } ? never : Name]: F[Name] extends {
    initial: unknown;
  }
    ? z.ZodDefault<F[Name]['schema']>
    : F[Name] extends { isOptional: true }
      ? z.ZodOptional<F[Name]['schema']>
      : F[Name]['schema'];
};

export type FixedName<F> = { [Name in keyof F]: F[Name] extends { isFixed: true } ? Name : never }[keyof F];

export type ChangeShape<F extends Fields> = {
  -readonly [Name in Exclude<keyof F, FixedName<F>>]: F[Name] extends { isOptional: true }
    ? z.ZodNullable<F[Name]['schema']>
    : F[Name]['schema'];
};

type Initial<F extends Fields> = {
  [Name in keyof F as F[Name] extends { initial: unknown } ? Name : never]: z.output<F[Name]['schema']>;
};

export interface DescribedField extends ResourceField {
  readonly name: string;
  readonly label: string;
  readonly column: string;
  readonly kind: FieldKind;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** Allowed values of a choice, of a flag, or in a list. */
  readonly options: readonly string[];
}

/** A rule about several fields, reported together with the errors of other fields. The values may be invalid. */
export interface Rule<F extends Fields> {
  holds(values: { readonly [Name in keyof F]: z.output<F[Name]['schema']> }): boolean;
  readonly path: string;
  readonly error: string;
}

/** An entity, declared once. Each surface is a projection of its fields. */
export interface Resource<F extends Fields = Fields> {
  readonly fields: readonly DescribedField[];
  readonly create: z.ZodObject<CreateShape<F>>;
  /** Settings that a record can change. All are required; use `partial()` to change some of them. */
  readonly change: z.ZodObject<ChangeShape<F>>;
  readonly initial: Initial<F>;
  readonly stated: F;
  readonly rule?: Rule<F> | undefined;
}

/** Declares the fields in the order that forms, help and tables show them, and at most one rule about several. */
export function defineResource<const F extends Fields>({
  fields: stated,
  rule,
}: {
  readonly fields: F;
  readonly rule?: Rule<NoInfer<F>> | undefined;
}): Resource<F> {
  const fields = Object.entries(stated).map(([name, field]) => describe(name, field));
  const shapeOf = (of: readonly DescribedField[], schemaOf: (field: DescribedField) => z.ZodType) =>
    Object.fromEntries(
      of.map((field) => [
        field.name,
        schemaOf(field).meta({ title: field.label, description: aboutOf(field) }),
      ]),
    );
  const [atFirst, changing] = [
    fields.filter(({ isLater }) => !isLater),
    fields.filter(({ isFixed }) => !isFixed),
  ];
  const create = z.object(
    shapeOf(atFirst, ({ schema, initial, isRequired, isOptional }) =>
      isRequired ? schema : isOptional ? schema.optional() : schema.default(initial),
    ),
  ) as unknown as Resource<F>['create'];
  return {
    fields,
    stated,
    rule,
    create:
      rule === undefined
        ? create
        : create.refine(rule.holds as () => boolean, {
            path: [rule.path],
            error: rule.error,
            when: ({ value }) => typeof value === 'object' && value !== null,
          }),
    change: z.object(
      shapeOf(changing, ({ schema, isOptional, isNullable }) =>
        isOptional && !isNullable ? schema.nullable() : schema,
      ),
    ) as unknown as Resource<F>['change'],
    initial: Object.fromEntries(
      fields.flatMap((field) => ('initial' in field ? [[field.name, field.initial]] : [])),
    ) as Initial<F>,
  };
}

export function aboutOf({ label, hint, about, isMoney }: DescribedField): string {
  if (about !== undefined) return about;
  if (isMoney) return `${label} in the minor unit of the currency: 900 is 9.00 EUR.`;
  return hint === undefined ? `${label}.` : `${label}. ${hint}`;
}

function describe(name: string, field: ResourceField): DescribedField {
  const { schema, isMoney, isInstant, isOptional, label = labelOf(name) } = field;
  const base = baseOf(schema);
  return {
    ...field,
    name,
    label,
    column: columnOf(name),
    kind: isMoney ? 'money' : isInstant ? 'instant' : kindOf(base),
    isNullable: schema instanceof z.ZodNullable,
    isRequired: !('initial' in field || isOptional),
    options: optionsOf(base),
  };
}

export function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Derives a label from a field's name: `Redirect URIs` for `redirectUris`, `Owner` for `ownerId`. */
export function labelOf(name: string): string {
  const words = name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const capitalised = words.charAt(0).toUpperCase() + words.slice(1);
  return capitalised.replace(
    /\b(ur[il])(s?)\b/i,
    (_, short: string, s: string) => `${short.toUpperCase()}${s}`,
  );
}

function baseOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return baseOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? baseOf(schema.in as z.ZodType) : schema;
}

function kindOf(base: z.ZodType): FieldKind {
  if (base instanceof z.ZodArray) return 'list';
  if (base instanceof z.ZodBoolean || base instanceof z.ZodLiteral) return 'flag';
  if (base instanceof z.ZodNumber) return 'number';
  return base instanceof z.ZodEnum ? 'choice' : 'text';
}

function optionsOf(base: z.ZodType): readonly string[] {
  if (base instanceof z.ZodArray) return optionsOf(base.element as z.ZodType);
  if (base instanceof z.ZodBoolean) return ['true', 'false'];
  if (base instanceof z.ZodLiteral) return [...base.values].map(String);
  return base instanceof z.ZodEnum ? base.options.map(String) : [];
}

type Stored<Values> = Pick<Resource, 'fields'> & { readonly create: z.ZodType<Values> };

type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : '';

type Column<Value> = Value extends boolean ? 0 | 1 : Value extends readonly unknown[] ? string : Value;

type Columns<Values> = { [Name in keyof Values & string as SnakeName<Name>]: Column<Values[Name]> };

/** Returns the columns of a record's fields. True is stored as 1, a list as JSON. */
export function columnsOf<Values extends object>({ fields }: Stored<Values>, values: Values) {
  const entries = fields.map(({ name, column, kind }) => {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    return [column, kind === 'list' ? JSON.stringify(value) : kind === 'flag' ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Columns<Values>;
}

/** A column without a value gets the field's initial value, unless the field is nullable. */
export function recordOf<Values extends object, Row extends object>({ fields }: Stored<Values>, row: Row) {
  const record: Record<string, unknown> = camelCased(row);
  for (const { name, kind, isNullable, initial } of fields) {
    if (kind === 'list') record[name] = JSON.parse(String(record[name]));
    if (kind === 'flag') record[name] = record[name] === 1;
    if (!isNullable) record[name] ??= initial;
  }
  return record as Omit<CamelCased<Row>, keyof Values> & Values;
}
