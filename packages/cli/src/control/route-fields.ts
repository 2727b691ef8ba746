import type { ControlCallName } from '@latchkey/sandbox/client';
import { CONTROL_ROUTES, DATA_ROUTES, type RouteStatement } from '@latchkey/sandbox/routes';
import * as z from 'zod';

/** Returns the control API's description of an endpoint. */
export function statementOf(call: ControlCallName): RouteStatement {
  return { ...CONTROL_ROUTES, ...DATA_ROUTES }[call];
}

/** Returns the input of a call by field name: the parameters of its path, and the fields of its query or body. */
export function inputFields(call: ControlCallName): Record<string, z.ZodType> {
  const { params = {}, query, body } = statementOf(call);
  return { ...params, ...shapeOf(query ?? body) };
}

/** Returns the fields of an object, or of all alternatives. */
function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodUnion)) return {};
  return Object.assign({}, ...schema.options.map((option) => shapeOf(option as z.ZodType)));
}

type ShapeOf<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? Shape
    : Schema extends z.ZodUnion
      ? Readonly<Record<string, z.ZodType>>
      : unknown;
type FieldsOf<Statement> = (Statement extends { readonly params: infer Params } ? Params : unknown) &
  (Statement extends { readonly query: infer Query } ? ShapeOf<Query> : unknown) &
  (Statement extends { readonly body: infer Body } ? ShapeOf<Body> : unknown);
type RouteFields<Name extends ControlCallName> = FieldsOf<(typeof CONTROL_ROUTES & typeof DATA_ROUTES)[Name]>;

/** Returns the chosen fields of a call as settings of a command, with extra metadata for the command line. */
export function settingsOf<Name extends ControlCallName, Chosen extends keyof RouteFields<Name> & string>(
  call: Name,
  chosen: Readonly<Record<Chosen, z.GlobalMeta>>,
): Pick<RouteFields<Name>, Chosen> {
  const fields = inputFields(call);
  const settings = Object.entries<z.GlobalMeta>(chosen).map(([name, meta]) => [
    name,
    fields[name]?.meta(meta),
  ]);
  return Object.fromEntries(settings);
}
