import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ApiExample, ExampleRequest } from '../../../scripts/api-examples.ts';
import type { RouteDefinition } from '../../../shared/api/route.ts';
import { allRoutes } from '../../setup/every-route.ts';
import type { TestGateway } from '../../setup/gateway.ts';
import { readable } from './readable.ts';

/** Request of an example, with the files of a form and who sends it. */
interface ExampleCall extends Omit<ExampleRequest, 'form'> {
  readonly form?: Readonly<Record<string, string | File>>;
  /** Default: the installation key; null sends none. */
  readonly key?: string | null;
  /** Headers that are no part of the example, such as a session. */
  readonly session?: Readonly<Record<string, string>>;
}

// Answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

type Paths = Readonly<Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>>;

/**
 * Calls routes as their examples: each call must succeed, and its answer must fit the served description. The first call
 * of a route is its example.
 */
export class Examples {
  readonly gateway: TestGateway;
  readonly recorded = new Map<string, ApiExample>();
  readonly #ajv: Ajv2020;
  /** Paths of each description, by its name. */
  readonly #paths: Record<string, Paths> = {};

  private constructor(gateway: TestGateway, descriptions: Readonly<Record<string, object>>) {
    this.gateway = gateway;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(this.#ajv);
    for (const [name, description] of Object.entries(descriptions)) {
      this.#paths[name] = (description as { paths: Paths }).paths;
      this.#ajv.addSchema(closed(description) as object, name);
    }
  }

  static async of(gateway: TestGateway): Promise<Examples> {
    const descriptions = ['openapi.json', 'openapi-console.json'].map(async (name) => {
      const served = await gateway.request('GET', `/${name}`, { key: null });
      return [name, (await served.json()) as object] as const;
    });
    return new Examples(gateway, Object.fromEntries(await Promise.all(descriptions)));
  }

  /** Calls a route by its operation id; returns the JSON of its answer, or null when it answers something else. */
  async call(id: string, call: ExampleCall = {}): Promise<Body> {
    const route = allRoutes.find((each) => each.id === id);
    if (!route) throw new Error(`no route has the operation id ${id}`);
    const response = await this.#send(route, call);
    const type = response.headers.get('Content-Type') ?? '';
    const isStream = type.startsWith('text/event-stream') && route.method === 'GET';
    const text = isStream ? '' : await response.text();
    if (isStream) await response.body?.cancel();
    if (response.status !== route.answer.status) throw new Error(`${id}: ${response.status} ${text}`);
    const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : null;
    const problem = 'schema' in route.answer ? this.problemOf(route, body) : null;
    if (problem !== null) throw new Error(`the answer of ${id} does not fit its description: ${problem}`);
    if (!this.recorded.has(id)) {
      const { key: _key, session: _session, form, ...request } = call;
      this.recorded.set(id, {
        request: readable({ ...request, ...(form ? { form: formText(form) } : {}) }, this.gateway),
        status: response.status,
        answer: 'schema' in route.answer && !id.endsWith('OpenApi') ? readable(body, this.gateway) : null,
      });
    }
    return body;
  }

  async #send(route: RouteDefinition, call: ExampleCall): Promise<Response> {
    const { params = {}, query = {}, headers = {}, json, form, key, session } = call;
    const path = route.path.replaceAll(/:(\w+)/gu, (_match, name: string) =>
      encodeURIComponent(String(params[name])),
    );
    const search = new URLSearchParams(query).toString();
    const parts = new FormData();
    for (const [name, value] of Object.entries(form ?? {})) parts.append(name, value);
    return await this.gateway.request(route.method, search ? `${path}?${search}` : path, {
      headers: { ...headers, ...session },
      ...(key === undefined ? {} : { key }),
      ...(json === undefined ? {} : { json }),
      ...(form ? { form: parts } : {}),
    });
  }

  /** Returns in what a successful answer does not fit the served description of its route; null when it fits. */
  problemOf({ method, path, answer, onlyConsole }: RouteDefinition, body: unknown): string | null {
    const name = onlyConsole ? 'openapi-console.json' : 'openapi.json';
    const template = path.replaceAll(/:(\w+)/gu, '{$1}');
    const status = String(answer.status);
    const { $ref } = this.#paths[name]?.[template]?.[method.toLowerCase()]?.responses[status] ?? {};
    const place = $ref?.slice(2).split('/') ?? ['paths', template, method.toLowerCase(), 'responses', status];
    const pointer = [...place, 'content', 'application/json', 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    return this.#ajv.validate({ $ref: `${name}#/${pointer}` }, body) ? null : this.#ajv.errorsText();
  }
}

/** Closes every object with properties: an answer must have no field that the description lacks. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, closed(each)]);
  const part = Object.fromEntries(entries) as Record<string, unknown>;
  const isOpen = part['type'] === 'object' && typeof part['properties'] === 'object';
  return isOpen ? { additionalProperties: false, ...part } : part;
}

function formText(form: Readonly<Record<string, string | File>>): Record<string, string> {
  const text = ([name, value]: [string, string | File]) => [
    name,
    typeof value === 'string' ? value : `@${value.name}`,
  ];
  return Object.fromEntries(Object.entries(form).map(text)) as Record<string, string>;
}
