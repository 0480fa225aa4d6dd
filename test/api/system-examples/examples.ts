import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ApiExample, ExampleRequest } from '../../../scripts/api-examples.ts';
import type { RouteDefinition } from '../../../shared/api/route.ts';
import type { WebhookDelivery } from '../../setup/emulators/deliveries.ts';
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
  /** Gets a stream of events, which is ended otherwise. */
  readonly keepOpen?: (stream: Response) => void;
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
  readonly recorded: Map<string, ApiExample>;
  readonly #ajv: Ajv2020;
  /** Paths of each description, by its name. */
  readonly #paths: Record<string, Paths> = {};

  private constructor(
    gateway: TestGateway,
    descriptions: Readonly<Record<string, object>>,
    recorded: Map<string, ApiExample>,
  ) {
    this.gateway = gateway;
    this.recorded = recorded;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(this.#ajv);
    for (const [name, description] of Object.entries(descriptions)) {
      this.#paths[name] = (description as { paths: Paths }).paths;
      this.#ajv.addSchema(closed(description) as object, name);
    }
  }

  /** `recorded`: those of another gateway, to which these are added. */
  static async of(gateway: TestGateway, recorded = new Map<string, ApiExample>()): Promise<Examples> {
    const descriptions = ['openapi.json', 'openapi-console.json'].map(async (name) => {
      const served = await gateway.request('GET', `/${name}`, { key: null });
      return [name, (await served.json()) as object] as const;
    });
    return new Examples(gateway, Object.fromEntries(await Promise.all(descriptions)), recorded);
  }

  /** Calls a route by its operation id; returns the JSON of its answer, or null when it answers something else. */
  async call(id: string, call: ExampleCall = {}): Promise<Body> {
    const route = routeOf(id);
    const response = await this.#send(route, call);
    const type = response.headers.get('Content-Type') ?? '';
    const isStream = type.startsWith('text/event-stream') && route.method === 'GET';
    const text = isStream ? '' : await response.text();
    if (isStream && call.keepOpen) call.keepOpen(response);
    else if (isStream) await response.body?.cancel();
    const { key: _key, session: _session, keepOpen: _keepOpen, form, ...request } = call;
    const shown = { ...request, ...(form ? { form: formText(form) } : {}) };
    return this.#record(route, shown, { status: response.status, type, text });
  }

  /** Records a webhook that an emulator of a provider sent, and the first answer to it. */
  recordWebhook(id: string, { webhook, attempts: [answer] }: WebhookDelivery): void {
    const { url, headers, body, fields } = webhook;
    const isJson = new Headers(headers).get('Content-Type')?.startsWith('application/json');
    const query = Object.fromEntries(new URL(url).searchParams);
    const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => /^x-/iu.test(name)));
    const request = {
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(Object.keys(signed).length > 0 ? { headers: signed } : {}),
      ...(isJson ? { json: JSON.parse(body.toString()) as unknown } : { form: Object.fromEntries(fields) }),
    };
    const { status, body: text } = answer ?? { status: null, body: '' };
    this.#record(routeOf(id), request, { status, type: 'application/json', text });
  }

  #record(
    { id, answer }: RouteDefinition,
    request: ExampleRequest,
    { status, type, text }: { readonly status: number | null; readonly type: string; readonly text: string },
  ): Body {
    if (status !== answer.status) throw new Error(`${id}: ${status} ${text}`);
    const hasJson = type.startsWith('application/json') && text !== '';
    const body: unknown = hasJson ? JSON.parse(text) : null;
    const problem = 'schema' in answer ? this.problemOf(routeOf(id), body) : null;
    if (problem !== null) throw new Error(`the answer of ${id} does not fit its description: ${problem}`);
    if (!this.recorded.has(id)) {
      this.recorded.set(id, {
        request: readable(request, this.gateway),
        status,
        answer: 'schema' in answer && !id.endsWith('OpenApi') ? readable(body, this.gateway) : null,
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

function routeOf(id: string): RouteDefinition {
  const route = allRoutes.find((each) => each.id === id);
  if (!route) throw new Error(`no route has the operation id ${id}`);
  return route;
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
