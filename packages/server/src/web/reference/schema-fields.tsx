import type { JsonSchema } from './json-schema.js';
import { Inline } from './plain-markdown.js';

/** The named schemas of the document, which others refer to. */
export type SchemaComponents = Readonly<Record<string, JsonSchema>>;

interface SchemaProps {
  schema: JsonSchema;
  components: SchemaComponents;
}

/** The fields of a request's or response's body, nested ones indented; the alternatives one after the other. */
export function SchemaFields({ schema, components }: SchemaProps) {
  const variants = objectsIn(schema, components);
  return (
    <>
      {variants.map((variant, index) => (
        <div class="variant" key={JSON.stringify(variant)}>
          {variants.length > 1 && <p class="variant-label">{index === 0 ? 'Either' : 'Or'}</p>}
          <ObjectFields schema={variant} components={components} />
        </div>
      ))}
    </>
  );
}

function ObjectFields({ schema, components }: SchemaProps) {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return <p class="muted">An object without fields.</p>;
  return (
    <dl class="fields">
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          isRequired={schema.required?.includes(name) === true}
          components={components}
        />
      ))}
    </dl>
  );
}

/** One field or parameter: its name and kind, what it is, and the fields inside of it. */
export function Field(props: SchemaProps & { name: string; isRequired: boolean; text?: string }) {
  const { name, isRequired, components } = props;
  const schema = resolved(props.schema, components);
  const text = props.text ?? schema.description;
  const inner = objectsIn(schema.items ?? schema, components).filter(
    ({ properties = {} }) => Object.keys(properties).length > 0,
  );
  const [only] = inner;
  return (
    <div class="field-row">
      <dt>
        <code class="field-name">{name}</code>
        <span class="field-kind">{kindOf(schema, components)}</span>
        {!isRequired && <span class="field-optional">optional</span>}
      </dt>
      <dd>
        {text !== undefined && (
          <p>
            <Inline text={text} />
          </p>
        )}
        <Values schema={schema} />
        {inner.length === 1 && only !== undefined ? (
          <ObjectFields schema={only} components={components} />
        ) : (
          inner.length > 1 && <SchemaFields schema={schema.items ?? schema} components={components} />
        )}
      </dd>
    </div>
  );
}

function Values({ schema }: { schema: JsonSchema }) {
  const [alternative] = schema.anyOf ?? [];
  const growing = schema['x-extensible-enum'] ?? alternative?.['x-extensible-enum'];
  const values = schema.enum ?? growing;
  if (values === undefined && schema.default === undefined) return null;
  return (
    <p class="field-values">
      {values?.map((value, index) => (
        <span key={String(value)}>
          {index > 0 && ' · '}
          <code>{String(value)}</code>
        </span>
      ))}
      {growing !== undefined && growing.length > 1 && ' · more may come'}
      {schema.default !== undefined && (
        <>
          {values !== undefined && '; '}default <code>{String(schema.default)}</code>
        </>
      )}
    </p>
  );
}

/** Follows a reference; the words at the reference win. */
function resolved(schema: JsonSchema, components: SchemaComponents): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const target = components[$ref.slice($ref.lastIndexOf('/') + 1)];
  return { ...target, ...own };
}

/** The objects that a schema can be: itself, or its alternatives. */
function objectsIn(schema: JsonSchema, components: SchemaComponents): JsonSchema[] {
  const whole = resolved(schema, components);
  const alternatives = whole.anyOf ?? whole.oneOf;
  if (alternatives !== undefined) return alternatives.flatMap((part) => objectsIn(part, components));
  return whole.properties === undefined ? [] : [whole];
}

/** What kind of value it is, in a few words. */
function kindOf(schema: JsonSchema, components: SchemaComponents): string {
  const whole = resolved(schema, components);
  const alternatives = whole.anyOf ?? whole.oneOf;
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map((part) => kindOf(part, components)))].join(' or ');
  }
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.items !== undefined) return `list of ${kindOf(whole.items, components)}s`;
  const type = typeof whole.type === 'string' ? whole.type : (whole.type ?? []).join(' or ');
  const format = whole.format === undefined ? '' : ` (${FORMATS[whole.format] ?? whole.format})`;
  return `${type}${format}${limitsOf(whole)}`;
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'ISO-8601', uri: 'URL' };

function limitsOf({ minLength, maxLength, minimum, maximum }: JsonSchema): string {
  if (maxLength !== undefined) {
    return minLength === undefined
      ? `, at most ${maxLength} characters`
      : `, ${minLength} to ${maxLength} characters`;
  }
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return `, ${minimum} to ${maximum}`;
  }
  return minimum === undefined ? '' : `, at least ${minimum}`;
}
