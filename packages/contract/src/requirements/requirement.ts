/** Part of the API that a rule belongs to (spec, "What the service does"). */
type RequirementSurface = 'sign-in' | 'api-key' | 'webhooks' | 'general';

/** Who must keep the rule. `caller` includes receivers of webhooks. */
type RequirementSide = 'server' | 'caller' | 'both';

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

/** The rules of one section of the spec by id, grouped by who must keep them. */
type RequirementSection = { readonly [Side in RequirementSide]?: Readonly<Record<string, string>> };

/** Flattens a surface's sections, by their path of headings, to one row per rule. */
export function requirementRows(
  surface: RequirementSurface,
  sections: Readonly<Record<string, RequirementSection>>,
): readonly Requirement[] {
  return Object.entries(sections).flatMap(([section, rules]) =>
    (['server', 'caller', 'both'] as const).flatMap((side) =>
      Object.entries(rules[side] ?? {}).map(([id, text]) => ({ id, surface, section, text, side })),
    ),
  );
}
