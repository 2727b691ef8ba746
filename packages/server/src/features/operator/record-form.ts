import * as z from 'zod';
import { OWNER_KINDS, type OwnerField, type RecordKind, recordKind } from './record-kinds.js';

/** Field of a form for records of a kind, without its schema, for pages that may import none. */
export interface RecordField {
  /** Name in the bodies. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'time' | 'choice' | 'choices' | 'flag' | 'list' | 'record';
  /** Forms with the field. Default: both. */
  readonly in?: 'create' | 'edit';
  /** Values of a choice or a flag. The first one of a choice is chosen, unless the field may be empty. */
  readonly options?: readonly string[];
  /** Kind of the record that the field names. */
  readonly of?: RecordKind;
  readonly hint?: string;
  readonly isRequired: boolean;
  /** True if the field can be emptied. */
  readonly isNullable: boolean;
  /** True for a flag that a new record has, unless it is turned off. */
  readonly isOn: boolean;
}

/** Ids that the caller may choose for a new record. Forms leave that to the service. */
const OWN_IDS: readonly string[] = ['id', 'clientId'];
/** Fields whose present value no record shows, so that no form can change it. */
const UNSHOWN: readonly string[] = ['hostedCallback'];

const known = new Map<RecordKind, readonly RecordField[]>();

/** Returns the fields of the forms that create and change a record, from the bodies of these operations. */
export function formFieldsOf(kind: RecordKind): readonly RecordField[] {
  const fields = known.get(kind) ?? derive(kind);
  known.set(kind, fields);
  return fields;
}

function derive(kind: RecordKind): readonly RecordField[] {
  const { create, change } = recordKind(kind);
  const [forNew, forChange]: Readonly<Record<string, z.ZodType>>[] = [
    create.body.shape,
    change?.body.shape ?? {},
  ];
  const names = new Set([...Object.keys(forNew ?? {}), ...Object.keys(forChange ?? {})]);
  const fields = [...names]
    .filter((name) => !OWN_IDS.includes(name))
    .map((name) => fieldOf(name, forNew?.[name], forChange?.[name]));
  const isRecord = ({ type }: RecordField) => type === 'record';
  return [...fields.filter(isRecord), ...fields.filter((field) => !isRecord(field))];
}

function fieldOf(name: string, forNew?: z.ZodType, forChange?: z.ZodType): RecordField {
  const schema = forNew ?? forChange ?? z.unknown();
  const { base, title = labelOf(name), description = '', isOn } = unwrap(schema);
  const isOfRecord = name in OWNER_KINDS;
  // A record is chosen by its name.
  const hint =
    isOfRecord && /^(?:UUID|Id of )/.test(description) ? '' : description.replace(`${title}.`, '').trim();
  const options = optionsOf(base);
  return {
    name,
    label: title,
    type: isOfRecord ? 'record' : typeOf(base),
    ...((forChange === undefined || UNSHOWN.includes(name)) && { in: 'create' }),
    ...(forNew === undefined && { in: 'edit' }),
    ...(options.length > 0 && { options }),
    ...(isOfRecord && { of: OWNER_KINDS[name as OwnerField] }),
    ...(hint !== '' && { hint }),
    isRequired: forNew !== undefined && !forNew.safeParse(undefined).success,
    isNullable: unwrap(forChange ?? schema).isNullable,
    isOn,
  };
}

/** `Redirect URIs` for `redirectUris`, `Owner` for `ownerId`. */
export function labelOf(name: string): string {
  const words = name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const capitalised = words.charAt(0).toUpperCase() + words.slice(1);
  return capitalised.replace(
    /\b(ur[il])(s?)\b/i,
    (_, short: string, s: string) => `${short.toUpperCase()}${s}`,
  );
}

/** Removes the layers around the schema that decides the type. */
function unwrap(schema: z.ZodType) {
  let base = schema;
  const meta: { title?: string; description?: string } = {};
  let [isNullable, isOn] = [false, false];
  for (;;) {
    const { title, description } = z.globalRegistry.get(base) ?? {};
    if (title !== undefined) meta.title ??= title;
    if (description !== undefined) meta.description ??= description;
    if (base instanceof z.ZodNullable) isNullable = true;
    if (base instanceof z.ZodDefault) isOn = base.def.defaultValue === true;
    if (base instanceof z.ZodPipe) base = base.in as z.ZodType;
    else if (isLayer(base)) base = base.unwrap() as z.ZodType;
    else return { base, isNullable, isOn, ...meta };
  }
}

function isLayer(schema: z.ZodType) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault
  );
}

function typeOf(base: z.ZodType): RecordField['type'] {
  if (base instanceof z.ZodArray) return base.element instanceof z.ZodEnum ? 'choices' : 'list';
  if (base instanceof z.ZodBoolean || base instanceof z.ZodLiteral) return 'flag';
  if (base instanceof z.ZodNumber) return 'number';
  // An instant is a text or a number.
  if (base instanceof z.ZodUnion) return 'time';
  return base instanceof z.ZodEnum ? 'choice' : 'text';
}

function optionsOf(base: z.ZodType): readonly string[] {
  if (base instanceof z.ZodArray) return optionsOf(base.element as z.ZodType);
  if (base instanceof z.ZodBoolean) return ['true', 'false'];
  if (base instanceof z.ZodLiteral) return [...base.values].map(String);
  return base instanceof z.ZodEnum ? base.options.map(String) : [];
}
