/** A JSON Schema (2020-12) as far as the published document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  /** Values known today of a set that can grow: a caller accepts others. */
  'x-extensible-enum'?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
}
