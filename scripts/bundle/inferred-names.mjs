import { parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';

const SYNTAX = { ecmaVersion: 'latest', sourceType: 'module' };

/**
 * Removes the bundler's `__name(f, "f")`, which defines a property each time a function is made: a twelfth of
 * the processor time of a write. Where the language itself infers the same name (ECMAScript, NamedEvaluation
 * and function declarations), spaces replace the call, so that source maps stay valid.
 */
export function withoutInferredNames(code) {
  if (!code.includes('__name(')) return code;
  const edits = [];
  fullAncestor(parse(code, SYNTAX), (node, _, ancestors) => {
    if (node.type !== 'CallExpression' || node.callee.name !== '__name' || node.arguments.length !== 2)
      return;
    const [named, { value: name }] = node.arguments;
    const parent = ancestors.at(-2);
    if (isAnonymous(named) && nameFrom(parent, node) === name)
      edits.push([node.start, named.start, ''], [named.end, node.end, '']);
    // The call follows `function f() {}`.
    else if (named.type === 'Identifier' && named.name === name && isUnused(parent, node))
      edits.push([node.start, node.end, '0']);
  });
  const left = edited(code, edits);
  // Without its parentheses a function could mean something else, such as `in` at the head of a loop.
  parse(left, SYNTAX);
  return left;
}

const isUnused = (parent, call) =>
  parent.type === 'ExpressionStatement' ||
  (parent.type === 'SequenceExpression' && parent.expressions.at(-1) !== call);

const isAnonymous = ({ type, id }) =>
  type === 'ArrowFunctionExpression' || (type === 'FunctionExpression' && id === null);

/** The name that the language infers for an anonymous function here; undefined if it infers none. */
function nameFrom(parent, call) {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.id.name;
    case 'AssignmentExpression':
      return parent.operator === '=' ? parent.left.name : undefined;
    case 'AssignmentPattern':
      return parent.left.name;
    case 'Property':
    case 'PropertyDefinition':
      return isPlainKey(parent) && parent.value === call ? parent.key.name : undefined;
    default:
      return undefined;
  }
}

/** `#f` is another name than `f`, and `__proto__: …` makes no property. */
const isPlainKey = ({ computed, key }) => !computed && key.type === 'Identifier' && key.name !== '__proto__';

function edited(code, edits) {
  const parts = [];
  let end = 0;
  for (const [from, to, text] of edits.sort(([a], [b]) => a - b)) {
    parts.push(code.slice(end, from), text.padEnd(to - from));
    end = to;
  }
  return parts.join('') + code.slice(end);
}
