import { backendNames, PROVIDERS, providerRoutes } from '../server/composition/providers.ts';
import { describeRoutes } from '../server/http/openapi.ts';
import { allRoutes } from '../shared/api/all.ts';

/** A value: the name of a type or of a component, values of an enumeration, several of them, or the fields of an object. */
export type ContractType = string | readonly ContractType[] | ContractFields;
/** Types by field; `?` after a name that may be left out. */
export interface ContractFields {
  readonly [field: string]: ContractType;
}

interface ContractRoute {
  readonly call: string;
  readonly query?: ContractFields;
  readonly body?: ContractType;
  readonly answer?: ContractType;
}

/** The parts of the description that programs depend on, without its words. */
export interface Contract {
  readonly routes: Readonly<Record<string, ContractRoute>>;
  readonly types: Readonly<Record<string, ContractType>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Referring {
  readonly $ref?: string;
}
interface Parameter extends Referring {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Referring & { readonly content?: Content }>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Returns the contract of the present sources. */
export function presentContract(): Contract {
  const routes = [...allRoutes, ...providerRoutes(PROVIDERS)];
  return contractOf(describeRoutes(routes, '', backendNames(PROVIDERS)) as unknown as Description);
}

/** Reduces a description to its contract. */
function contractOf({ paths, components }: Description): Contract {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map((each) =>
        each.$ref ? (components.parameters[nameOf(each.$ref)] as Parameter) : each,
      );
      const query = parameters.filter((each) => each.in === 'query');
      const [status = ''] = Object.keys(operation.responses);
      const success = operation.responses[status];
      const answer = success?.$ref ? components.responses[nameOf(success.$ref)] : success;
      const [type = ''] = Object.keys(answer?.content ?? {});
      const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
      const described: ContractRoute = {
        call: `${method.toUpperCase()} ${path}`,
        ...(query.length > 0
          ? {
              query: Object.fromEntries(
                query.map((each) => [fieldName(each.name, each.required), typeOf(each.schema)]),
              ),
            }
          : {}),
        ...(body ? { body: typeOf(body) } : {}),
        answer: type === 'application/json' ? typeOf(answer?.content?.[type]?.schema ?? {}) : type,
      };
      return [operation.operationId, described] as const;
    }),
  );
  const types = Object.entries(components.schemas).map(([name, schema]) => [name, typeOf(schema)] as const);
  return { routes: sorted(routes), types: sorted(types) };
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const fieldName = (name: string, isRequired: boolean): string => (isRequired ? name : `${name}?`);

function typeOf(schema: Schema): ContractType {
  if (schema.$ref) return `#${nameOf(schema.$ref)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? (schema.properties ? undefined : schema.oneOf) ?? schema.allOf;
  if (choices) return union(choices.map(typeOf));
  if (schema.properties) {
    const required = new Set(schema.required);
    return sorted(
      Object.entries(schema.properties).map(([name, each]) => [
        fieldName(name, required.has(name)),
        typeOf(each),
      ]),
    );
  }
  if (schema.items) return { '[]': typeOf(schema.items) };
  if (typeof schema.additionalProperties === 'object') return { '*': typeOf(schema.additionalProperties) };
  if (Array.isArray(schema.type)) return union(schema.type);
  return (schema.type as string | undefined) ?? 'any';
}

/** One type, or a list of several in order. */
function union(types: readonly ContractType[]): ContractType {
  const texts = [...new Set(types.map((type) => JSON.stringify(type)))].sort();
  const parsed = texts.map((text) => JSON.parse(text) as ContractType);
  return parsed.length === 1 ? (parsed[0] as ContractType) : parsed;
}
