/** Part of the API that a rule belongs to (spec, "What the service does"). */
export type RequirementSurface = 'sign-in' | 'api-key' | 'webhooks' | 'general';

/** Party that must keep the rule. `caller` includes receivers of webhooks. */
export type RequirementSide = 'server' | 'caller' | 'both';

/** A rule of the spec that tests can cite. */
export interface Requirement {
  /** `area.rule-in-kebab-case`. Tests cite it as a tag. */
  readonly id: string;
  readonly surface: RequirementSurface;
  /** Path of headings in the spec, outermost first, joined by ` / `. */
  readonly section: string;
  /** The rule in one sentence. */
  readonly text: string;
  readonly side: RequirementSide;
}

type Rules = Readonly<Record<string, string>>;

/** The rules of one section of the spec, grouped by the side that must keep them. */
export interface RequirementSection {
  readonly surface: RequirementSurface;
  readonly section: string;
  readonly server?: Rules;
  readonly caller?: Rules;
  readonly both?: Rules;
}

/** Flattens sections to one row per rule. */
export function requirementRows(sections: readonly RequirementSection[]): readonly Requirement[] {
  return sections.flatMap(({ surface, section, ...rules }) =>
    (['server', 'caller', 'both'] as const).flatMap((side) =>
      Object.entries(rules[side] ?? {}).map(([id, text]) => ({ id, surface, section, text, side })),
    ),
  );
}
