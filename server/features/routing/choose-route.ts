/** Part of a route that decides whether and when a fax goes by it. */
export interface RouteRule {
  readonly id: string;
  readonly name: string;
  /** Prefixes of the numbers, E.164; an empty list for all. */
  readonly prefixes: readonly string[];
  /** The lowest goes first. */
  readonly priority: number;
  readonly enabled: boolean;
}

/** Fax to choose routes for. */
export interface RoutedFax {
  /** E.164. */
  readonly to: string;
  /** The route that the contact of the number names; null for none. */
  readonly preferred: string | null;
  /** Routes, by id, with recent failures to that country, each with a sentence that says so. */
  readonly triedLast?: ReadonlyMap<string, string> | undefined;
}

export interface ChosenRoute<R extends RouteRule> {
  readonly route: R;
  /** One sentence or two for a person: which rule chose it. */
  readonly reason: string;
}

interface MatchingRoute<R extends RouteRule> {
  readonly route: R;
  readonly isPreferred: boolean;
  /** Sentence that says why it comes after all others; null where it does not. */
  readonly triedLast: string | null;
  /** Longest of its prefixes that matches the number; empty for all numbers. */
  readonly prefix: string;
}

/**
 * Returns the routes that match the fax, in the order of use: the one preferred for the contact of the number, then by
 * longest prefix, priority, and age, oldest first. Routes with recent failures come after all others. Pure.
 */
export function chooseRoutes<R extends RouteRule>(routes: readonly R[], fax: RoutedFax): ChosenRoute<R>[] {
  const matching = routes.flatMap((route) => matchRoute(route, fax)).sort(compareRoutes);
  return matching.map((match, index) => ({ route: match.route, reason: reasonOf(match, index, matching) }));
}

/** Lists all prefixes of a number (E.164), the empty one first. */
export function prefixesOf(to: string): string[] {
  return Array.from({ length: to.length + 1 }, (_, length) => to.slice(0, length)).filter(
    (text) => text !== '+',
  );
}

function matchRoute<R extends RouteRule>(
  route: R,
  { to, preferred, triedLast }: RoutedFax,
): MatchingRoute<R>[] {
  if (!route.enabled) return [];
  const isPreferred = route.id === preferred;
  const prefix = longestPrefix(route.prefixes, to);
  if (prefix === null && !isPreferred) return [];
  return [{ route, isPreferred, triedLast: triedLast?.get(route.id) ?? null, prefix: prefix ?? '' }];
}

function longestPrefix(prefixes: readonly string[], to: string): string | null {
  if (prefixes.length === 0) return '';
  let longest: string | null = null;
  for (const prefix of prefixes)
    if (to.startsWith(prefix) && prefix.length > (longest?.length ?? 0)) longest = prefix;
  return longest;
}

function compareRoutes<R extends RouteRule>(a: MatchingRoute<R>, b: MatchingRoute<R>): number {
  return (
    Number(a.triedLast !== null) - Number(b.triedLast !== null) ||
    Number(b.isPreferred) - Number(a.isPreferred) ||
    b.prefix.length - a.prefix.length ||
    a.route.priority - b.route.priority ||
    (a.route.id < b.route.id ? -1 : 1)
  );
}

function reasonOf<R extends RouteRule>(
  match: MatchingRoute<R>,
  index: number,
  all: readonly MatchingRoute<R>[],
): string {
  const late = match.triedLast === null ? '' : ` ${match.triedLast}`;
  return `Route “${match.route.name}”: ${ruleOf(match, index, all)}.${late}`;
}

function ruleOf<R extends RouteRule>(
  match: MatchingRoute<R>,
  index: number,
  all: readonly MatchingRoute<R>[],
): string {
  if (match.isPreferred) return 'preferred for this contact';
  const { prefix, route } = match;
  const isTied = all.some(
    (other) => other !== match && !other.isPreferred && other.prefix.length === prefix.length,
  );
  const priority = isTied ? `, priority ${route.priority}` : '';
  if (prefix === '') return `it is for all numbers${priority}`;
  const isLongest = index === 0 && all.every((other) => other.prefix.length <= prefix.length);
  return `${isLongest ? 'longest prefix' : 'prefix'} ${prefix}${priority}`;
}
