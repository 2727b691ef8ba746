/** The part of the service a rule belongs to (spec, "What the service does"). */
export type RequirementSurface = 'sign-in' | 'api-key' | 'webhooks' | 'general';

/** Who has to keep the rule: the service, the one who calls it (or receives its webhooks), or both. */
export type RequirementSide = 'server' | 'caller' | 'both';

/** One rule of the spec, in a form that tests can cite. */
export interface Requirement<Id extends string = string> {
  /** `area.rule-in-kebab-case`; tests cite it in square brackets at the end of their name. */
  readonly id: Id;
  readonly surface: RequirementSurface;
  /** Headings of the spec that lead to the rule, outermost first, joined by ` / `. */
  readonly section: string;
  /** The rule in one sentence. */
  readonly text: string;
  readonly side: RequirementSide;
}

type Rules = Readonly<Record<string, string>>;

/** The rules of one section of the spec: id to sentence, grouped by the side that keeps them. */
export interface RequirementSection {
  readonly surface: RequirementSurface;
  readonly section: string;
  readonly server?: Rules;
  readonly caller?: Rules;
  readonly both?: Rules;
}

type IdsOf<Section extends RequirementSection> = {
  [Side in RequirementSide]: Section[Side] extends Rules ? Extract<keyof Section[Side], string> : never;
}[RequirementSide];

/** Flattens sections to one row a rule, in the order written. The ids stay literal types. */
export function requirementRows<const Section extends RequirementSection>(
  sections: readonly Section[],
): readonly Requirement<IdsOf<Section>>[] {
  return sections.flatMap((section) =>
    (['server', 'caller', 'both'] as const).flatMap((side) =>
      Object.entries(section[side] ?? {}).map(([id, text]) => ({
        // Object.entries widens keys to string; they are the keys of this very section.
        id: id as IdsOf<Section>,
        surface: section.surface,
        section: section.section,
        text,
        side,
      })),
    ),
  );
}
