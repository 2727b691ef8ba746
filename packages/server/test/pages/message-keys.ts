import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** Node of a syntax tree (ESTree), as far as the search reads it. */
interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A file of the sources, parsed. */
interface Source {
  readonly path: string;
  readonly program: Node;
}

/** Parses the sources of a folder. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => parsed(path, readFileSync(join(folder, path), 'utf8')));
}

export function parsed(path: string, text: string): Source {
  return { path, program: parseSync(path, text).program as unknown as Node };
}

/** Returns the texts that calls of `t` and `phrase` have as literals, also in both branches of a condition. */
export function translatedTexts({ program }: Source): string[] {
  return nodesOf(program).flatMap((node) => {
    // The checkout translates what a payment provider says about itself.
    if (node.type === 'Property' && nameOf(node.key) === 'disclaimer') return literalsOf(node.value as Node);
    if (node.type !== 'CallExpression' || !/^(t|phrase)$/.test(nameOf(node.callee))) return [];
    return literalsOf((node.arguments as Node[])[0]);
  });
}

/** Attributes, properties and variables whose texts people read. */
const SHOWN =
  /^(title|text|label|hint|heading|lead|button|alt|placeholder|aria-label|about|detail|error|message|name|note|tab|below|footer|submit|what|subject|preview|value|reason|words)$/;

/** Returns the English words of a page's code that no call translates: between tags, and as values of what people read. */
export function untranslatedTexts({ program }: Source): string[] {
  return nodesOf(program).flatMap((node) => {
    if (node.type === 'JSXText') return /\p{L}/u.test(String(node.value)) ? [String(node.value).trim()] : [];
    return literalsOf(shownValue(node)).filter((text) => /^\p{Lu}\p{Ll}|\p{L} \p{L}/u.test(text));
  });
}

function shownValue(node: Node): Node | undefined {
  const isShown = (name: unknown) => SHOWN.test(nameOf(name));
  if (node.type === 'JSXAttribute') return isShown(node.name) ? (node.value as Node) : undefined;
  if (node.type === 'Property') return isShown(node.key) ? (node.value as Node) : undefined;
  if (node.type === 'VariableDeclarator') return isShown(node.id) ? (node.init as Node) : undefined;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return { type: 'Children', children: (node.children as Node[]).filter(({ type }) => type !== 'JSXText') };
  return undefined;
}

function nameOf(node: unknown): string {
  return String(
    (node as { name?: unknown } | null)?.name ?? (node as { value?: unknown } | null)?.value ?? '',
  );
}

/** Returns the strings that an expression can be, and the fixed parts of a template. */
function literalsOf(node: Node | null | undefined): string[] {
  const each = (nodes: unknown) => (nodes as Node[]).flatMap(literalsOf);
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return each([node.consequent, node.alternate]);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return each(node.operator === '===' || node.operator === '!==' ? [] : [node.left, node.right]);
    case 'ParenthesizedExpression':
    case 'JSXExpressionContainer':
    case 'TSAsExpression':
      return each([node.expression]);
    case 'Children':
      return each(node.children);
    default:
      return [];
  }
}

function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return 'type' in value ? [value as Node, ...inner] : inner;
}
