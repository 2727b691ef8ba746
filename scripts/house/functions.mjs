// Measures the length of functions.
import { Visitor } from 'oxc-parser';
import { lineOf } from '../source-files.mjs';

/** Calls that group tests. Their callbacks are as long as the group. */
const GROUPS = new Set(['describe', 'suite', 'test.describe']);

/**
 * Returns the functions, methods and arrow functions longer than a number of lines. Callbacks of `describe` do not count.
 * @returns {{ file: string, line: number, name: string, lines: number }[]}
 */
export function longFunctions({ file, text, program }, limit) {
  const found = [];
  const names = new Map();
  const groups = new Set();
  const measure = (node) => {
    if (groups.has(node) || !node.body) return;
    const line = lineOf(text, node.start);
    const lines = lineOf(text, node.end) - line + 1;
    if (lines > limit)
      found.push({ file, line, name: node.id?.name ?? names.get(node) ?? '(anonymous)', lines });
  };
  const nameValue = (key, value) => {
    if (value) names.set(value, key?.name ?? key?.value);
  };
  new Visitor({
    CallExpression: (node) => {
      if (GROUPS.has(calleeOf(node))) for (const argument of node.arguments) groups.add(argument);
    },
    VariableDeclarator: ({ id, init }) => nameValue(id, init),
    Property: ({ key, value }) => nameValue(key, value),
    MethodDefinition: ({ key, value }) => nameValue(key, value),
    PropertyDefinition: ({ key, value }) => nameValue(key, value),
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return found;
}

/** Returns the called name: `describe` for `describe(…)`, `describe.each(…)(…)` and `describe.concurrent(…)`. */
function calleeOf({ callee }) {
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression') {
    return calleeOf({ callee: callee.callee ?? callee.tag });
  }
  if (callee.type !== 'MemberExpression') return callee.name;
  const { object, property } = callee;
  return property.name === 'describe' ? `${object.name}.describe` : calleeOf({ callee: object });
}
