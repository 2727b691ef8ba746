/** Returns the parent of an element, also outside of the shadow tree that contains it. */
export function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
}
