/** Attributes by name. `true` is an attribute without a value, `''` an attribute that is left out. */
export type ChosenAttributes = Readonly<Record<string, string | true>>;

/** Everything that is chosen in the configurator. */
export interface Choice {
  readonly clientId: string;
  readonly communityId: string;
  readonly planId: string;
  /** Elements on the page with the attributes that differ from those that the ids imply. */
  readonly elements: Readonly<Record<string, ChosenAttributes>>;
  /** CSS custom properties by name. */
  readonly theme: Readonly<Record<string, string>>;
}

const FIRST_CHOICE: Choice = {
  clientId: '',
  communityId: '',
  planId: '',
  elements: { 'latchkey-login': {}, 'latchkey-gate': {}, 'latchkey-plans': {} },
  theme: {},
};

/** Reads a choice from an address. A broken one is the first choice. */
export function readChoice(text: string): Choice {
  try {
    const given = JSON.parse(text) as Partial<Choice>;
    return {
      clientId: String(given.clientId ?? ''),
      communityId: String(given.communityId ?? ''),
      planId: String(given.planId ?? ''),
      elements: given.elements === undefined ? FIRST_CHOICE.elements : onlyObjects(given.elements),
      theme: { ...given.theme },
    };
  } catch {
    return FIRST_CHOICE;
  }
}

/** Writes a choice for an address. */
export function choiceText(choice: Choice): string {
  return JSON.stringify(choice);
}

/** Returns all attributes of the elements: the implied ones, then the chosen ones. */
export function attributesOf(choice: Choice): Record<string, Record<string, string | true>> {
  const names = Object.keys(choice.elements);
  return Object.fromEntries(
    names.map((name, index) => {
      const all = { ...impliedAttributes(name, index === 0, choice), ...choice.elements[name] };
      return [name, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))];
    }),
  );
}

/** Returns the attributes that follow from the chosen ids. The first element of a page names the client. */
export function impliedAttributes(name: string, isFirst: boolean, choice: Choice): Record<string, string> {
  const { clientId, communityId, planId } = choice;
  return {
    ...(isFirst && { 'client-id': clientId }),
    backend: '/auth',
    ...(name !== 'latchkey-login' && { community: communityId }),
    ...(name === 'latchkey-join' && { plan: planId }),
  };
}

/** Leaves out what is no element: an address can contain anything. */
function onlyObjects(elements: Choice['elements']): Choice['elements'] {
  return Object.fromEntries(
    Object.entries(elements).filter(([, value]) => typeof value === 'object' && value !== null),
  );
}
