/** Longest name of a community, plan, drop or product, in characters. */
export const NAME_MAX_LENGTH = 200;
/** Longest slug, in characters. */
export const SLUG_MAX_LENGTH = 100;

/** Something that can be seen: a name of spaces and invisible marks would be a button without text. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Reads a name that people will see: trimmed, 1 to 200 characters, on one line.
 *
 * @returns `undefined` when it is none.
 */
export function readName(text: string): string | undefined {
  const name = text.trim();
  return name.length <= NAME_MAX_LENGTH && VISIBLE.test(name) && !/[\p{Cc}\p{Cs}]/u.test(name)
    ? name
    : undefined;
}

/**
 * Reads a storefront slug: lower-case letters, digits and single hyphens between them, at most 100 characters.
 *
 * @returns `undefined` when it is none.
 */
export function readSlug(text: string): string | undefined {
  const slug = text.trim();
  return slug.length <= SLUG_MAX_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? slug : undefined;
}

/**
 * Reads the name of a messenger bot: 3 to 64 letters, digits and underscores, with or without the `@` that people put
 * before it.
 *
 * @returns `undefined` when it is none.
 */
export function readBotName(text: string): string | undefined {
  return /^@?([A-Za-z0-9_]{3,64})$/.exec(text.trim())?.[1];
}
