export interface WidgetAttribute {
  readonly name: string;
  readonly description: string;
  /** Type in the manifest: `boolean`, a union of texts, or another one. */
  readonly type: string;
}

/** Element of the widget with everything that a site can set. */
export interface WidgetElement {
  readonly name: string;
  readonly attributes: readonly WidgetAttribute[];
  /** CSS custom properties. */
  readonly properties: readonly { readonly name: string; readonly description?: string }[];
}

/** Elements of the manifest. The build inserts them. */
declare const WIDGET_ELEMENTS: readonly WidgetElement[];

const ORDER = ['latchkey-login', 'latchkey-gate', 'latchkey-plans', 'latchkey-join'];

export const widgetElements: readonly WidgetElement[] = WIDGET_ELEMENTS.toSorted(
  (one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name),
);

/** CSS custom properties of all elements, each once. */
export const themeProperties: WidgetElement['properties'] = [
  ...new Map(
    widgetElements.flatMap(({ properties }) => properties.map((each) => [each.name, each])),
  ).values(),
];

/** Returns the values that an attribute can have; empty for any text. */
export function valuesOf({ type }: WidgetAttribute): string[] {
  return [...type.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
}
