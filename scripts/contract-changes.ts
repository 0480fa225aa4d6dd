import type { Contract, ContractFields, ContractType } from './api-contract.ts';

/** A difference of two contracts, as a phrase; `isBreaking` when a program of the former one may fail. */
export interface ContractChange {
  readonly text: string;
  readonly isBreaking: boolean;
}

type Direction = 'request' | 'answer';

/** Lists the changes between two contracts, in the order of their routes; a shared type is compared once in each direction. */
export function contractChanges(before: Contract, after: Contract): ContractChange[] {
  const comparison = new Comparison(before, after);
  for (const [id, route] of Object.entries(before.routes)) {
    const now = after.routes[id];
    if (!now) comparison.add(`${route.call}: removed (\`${id}\`)`, true);
    else if (now.call !== route.call) comparison.add(`${route.call}: now ${now.call}`, true);
    else {
      comparison.fields(`${route.call} query`, route.query ?? {}, now.query ?? {}, 'request');
      comparison.types(`${route.call} body`, route.body ?? {}, now.body ?? {}, 'request');
      comparison.types(`${route.call} answer`, route.answer ?? {}, now.answer ?? {}, 'answer');
    }
  }
  for (const [id, { call }] of Object.entries(after.routes))
    if (!before.routes[id]) comparison.add(`${call}: added (\`${id}\`)`, false);
  return comparison.changes;
}

class Comparison {
  readonly changes: ContractChange[] = [];
  readonly #before: Contract;
  readonly #after: Contract;
  readonly #compared = new Set<string>();

  constructor(before: Contract, after: Contract) {
    this.#before = before;
    this.#after = after;
  }

  add(text: string, isBreaking: boolean): void {
    if (!this.changes.some((change) => change.text === text)) this.changes.push({ text, isBreaking });
  }

  types(place: string, before: ContractType, after: ContractType, direction: Direction): void {
    if (isReference(before) || isReference(after)) {
      this.#references(place, before, after, direction);
      return;
    }
    if (isFields(before) && isFields(after)) {
      this.fields(place, before, after, direction);
      return;
    }
    this.#choices(place, { before: choicesOf(before), after: choicesOf(after) }, direction);
  }

  /** A component is compared under its own name, so that its changes are listed once for all routes. */
  #references(place: string, before: ContractType, after: ContractType, direction: Direction): void {
    const [was, is] = [resolve(before, this.#before), resolve(after, this.#after)];
    const name = isReference(before) ? before.slice(1) : place;
    const key = `${JSON.stringify(before)} ${JSON.stringify(after)} ${direction}`;
    if (this.#compared.has(key)) return;
    this.#compared.add(key);
    this.types(isFields(was) ? `${name} (${direction})` : place, was, is, direction);
  }

  fields(place: string, before: ContractFields, after: ContractFields, direction: Direction): void {
    const [was, is] = [before, after].map(
      (fields) => new Map(Object.keys(fields).map((key) => [plain(key), key])),
    );
    for (const [name, key] of was ?? []) {
      const now = is?.get(name);
      if (now === undefined) this.add(`${place} \`${name}\`: removed`, true);
      else {
        this.#need(`${place} \`${name}\``, { was: !key.endsWith('?'), is: !now.endsWith('?') }, direction);
        this.types(
          `${place} \`${name}\``,
          before[key] as ContractType,
          after[now] as ContractType,
          direction,
        );
      }
    }
    for (const [name, key] of is ?? [])
      if (!was?.has(name)) {
        const isNeeded = direction === 'request' && !key.endsWith('?');
        this.add(`${place} \`${name}\`: added${isNeeded ? ', required' : ''}`, isNeeded);
      }
  }

  #need(place: string, { was, is }: { was: boolean; is: boolean }, direction: Direction): void {
    if (was === is) return;
    const isBreaking = direction === 'request' ? is : was;
    this.add(`${place}: ${is ? 'now required' : 'may now be left out'}`, isBreaking);
  }

  /** A caller may send fewer values than before, or a reader get other ones: both break, but for a new named value. */
  #choices(
    place: string,
    choices: { before: readonly ContractType[]; after: readonly ContractType[] },
    direction: Direction,
  ): void {
    const [wasObject, isObject] = [choices.before.filter(isFields), choices.after.filter(isFields)];
    // The members of a union stand in the order of what tells them apart.
    const isPaired = wasObject.length === isObject.length;
    if (isPaired)
      for (const [at, each] of wasObject.entries())
        this.fields(`${place} (${at + 1})`, each, isObject[at] ?? {}, direction);
    const textsOf = (types: readonly ContractType[]) =>
      types.filter((type) => !(isPaired && isFields(type))).map(textOf);
    const [before, after] = [textsOf(choices.before), textsOf(choices.after)];
    for (const name of before)
      if (isReference(name) && after.includes(name)) this.#references(place, name, name, direction);
    const removed = before.filter((each) => !after.includes(each));
    const added = after.filter((each) => !before.includes(each));
    for (const value of removed) this.add(`${place}: ${value} removed`, direction === 'request');
    const isNewType = (value: string) => direction === 'answer' && !value.startsWith('"');
    for (const value of added) this.add(`${place}: ${value} added`, isNewType(value));
  }
}

const plain = (field: string): string => field.replace(/\?$/u, '');
const isReference = (type: ContractType): type is string => typeof type === 'string' && type.startsWith('#');
const isFields = (type: ContractType): type is ContractFields =>
  typeof type === 'object' && !Array.isArray(type);
const choicesOf = (type: ContractType): readonly ContractType[] =>
  Array.isArray(type) ? (type as readonly ContractType[]) : [type];
const textOf = (type: ContractType): string => (typeof type === 'string' ? type : JSON.stringify(type));

function resolve(type: ContractType, { types }: Contract): ContractType {
  const target = isReference(type) ? types[type.slice(1)] : undefined;
  return target === undefined || target === type ? type : resolve(target, { types, routes: {} });
}
