import { type Plugin, parseSync } from 'vite';

/** Fields of a route that only documentation needs: the console calls routes, it does not describe them. */
const DOCUMENTATION = new Set([
  'answerWords',
  'deprecated',
  'description',
  'hasRanges',
  'headers',
  'jsonFields',
  'linksNext',
  'refusals',
  'summary',
]);
const CONTRACT = /[\\/]shared[\\/]api[\\/][^\\/]+\.ts$/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Cut {
  readonly from: number;
  readonly to: number;
}

/** Leaves the sentences of route definitions and `.describe(…)` out of the console: a tenth of its first screen. */
export function contractWithoutDescriptions(): Plugin {
  return {
    name: 'faxdesk:contract-without-words',
    enforce: 'pre',
    transform(code, id) {
      if (!CONTRACT.test(id)) return null;
      const cuts: Cut[] = [];
      walk(parseSync(id, code).program as unknown as Node, false, cuts);
      return { code: removeCuts(code, cuts), map: null };
    },
  };
}

function walk(node: Node, inRoute: boolean, cuts: Cut[]): void {
  const callee = node.type === 'CallExpression' ? (node['callee'] as Node) : null;
  // A schema in a route may have fields of these names.
  const within = callee ? nameOf(callee) === 'defineRoute' : inRoute;
  if (callee?.type === 'MemberExpression' && nameOf(callee['property']) === 'describe') {
    cuts.push({ from: (callee['object'] as Node).end, to: node.end });
    return walk(callee['object'] as Node, inRoute, cuts);
  }
  if (node.type === 'Property' && within && DOCUMENTATION.has(nameOf(node['key']))) {
    // A shorthand or a spread around it stays valid: the comma after it is cut with it.
    cuts.push({ from: node.start, to: node.end });
    return;
  }
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, within, cuts);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : '';
}

/** A property goes with the comma after it. */
function removeCuts(code: string, cuts: Cut[]): string {
  let kept = '';
  let at = 0;
  for (const { from, to } of cuts.sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    kept += code.slice(at, from);
    const isProperty = !code.slice(from).startsWith('.') && !/^\s*\./u.test(code.slice(from));
    at = isProperty && /^\s*,/u.test(code.slice(to)) ? to + code.slice(to).indexOf(',') + 1 : to;
  }
  return kept + code.slice(at);
}
