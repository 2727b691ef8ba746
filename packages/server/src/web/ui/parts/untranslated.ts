/**
 * Attribute of a value that no program may translate, such as an id or a secret. Preact leaves out attributes whose value is
 * `false`, so `translate={false}` would have no effect.
 */
export const UNTRANSLATED = { translate: 'no' } as unknown as { readonly translate: false };
