import { OWNER_KINDS, type OwnerField } from '../fields/define-records.js';
import { aboutOf, type DescribedField } from '../fields/define-resource.js';
import { type RecordKind, recordKind } from './record-kinds.js';

/** Field of a form for records of a kind, without its schema: some pages may not import schemas. */
export interface RecordField {
  /** Name in the bodies. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'time' | 'choice' | 'choices' | 'flag' | 'list' | 'record';
  /** Forms that have the field. Default: both. */
  readonly in?: 'create' | 'edit';
  /**
   * Values of a choice or a flag. The first value of a choice is selected by default, unless the field may be empty.
   */
  readonly options?: readonly string[];
  /** Kind of the record that the field refers to. */
  readonly of?: RecordKind;
  readonly hint?: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** True for a flag that is on by default for a new record. */
  readonly isOn: boolean;
}

/** Ids that the caller may choose for a new record. Forms leave them to the service. */
const OWN_IDS: readonly string[] = ['id', 'clientId'];
/** Fields that no form can change: records don't show their current value. */
const UNSHOWN: readonly string[] = ['hostedCallback'];

export function formFieldsOf(kind: RecordKind): readonly RecordField[] {
  const { fields, change } = recordKind(kind);
  const shown = fields
    .filter(({ name }) => !OWN_IDS.includes(name))
    .map((field) => fieldOf(field, change === undefined));
  const isRecord = ({ type }: RecordField) => type === 'record';
  return [...shown.filter(isRecord), ...shown.filter((field) => !isRecord(field))];
}

function fieldOf(field: DescribedField, isNeverChanged: boolean): RecordField {
  const { name, label, options, initial, isFixed, isLater, isOptional, isRequired, isNullable } = field;
  const about = aboutOf(field);
  const of = name in OWNER_KINDS ? OWNER_KINDS[name as OwnerField] : undefined;
  // A record is chosen by its name.
  const hint = of !== undefined && about.startsWith('Id of ') ? '' : about.replace(`${label}.`, '').trim();
  const isForNew = isNeverChanged || isFixed || UNSHOWN.includes(name);
  return {
    name,
    label,
    type: of === undefined ? typeOf(field) : 'record',
    ...(isForNew && { in: 'create' }),
    ...(isLater && { in: 'edit' }),
    ...(options.length > 0 && { options }),
    ...(of !== undefined && { of }),
    ...(hint !== '' && { hint }),
    isRequired: isRequired && !isLater,
    isNullable: isNullable || (isOptional === true && !isForNew),
    isOn: initial === true,
  };
}

function typeOf({ kind, options }: DescribedField): RecordField['type'] {
  if (kind === 'list') return options.length > 0 ? 'choices' : 'list';
  if (kind === 'money') return 'number';
  return kind === 'instant' ? 'time' : kind;
}
