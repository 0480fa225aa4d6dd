import { PROVIDERS, providerRoutes } from '../server/composition/providers.ts';
import { allRoutes } from '../shared/api/all.ts';
import type { RouteDefinition } from '../shared/api/route.ts';
import { type ApiExample, type ExampleRequest, readExamples } from './api-examples.ts';

/** A route with the call of it that a test ran. */
interface Call {
  readonly route: RouteDefinition;
  readonly request: ExampleRequest;
}

/** Calls of every route that a caller with a key can send, in the order of the contract. */
function calls(): Call[] {
  const examples: Record<string, ApiExample> = readExamples();
  const routes = [...allRoutes, ...providerRoutes(PROVIDERS)];
  return routes.flatMap((route) => {
    const example = examples[route.id];
    return example && !SESSION_ONLY.test(route.path) ? [{ route, request: example.request }] : [];
  });
}

/** Routes of people who are signed in, which want a cookie. */
const SESSION_ONLY = /^\/auth\/(?!me|context|welcome|key-login|login)|^\/console\/draft-key/u;

/** The page of shell commands, one for each route. */
export function describeCurl(): string {
  const groups = Map.groupBy(calls(), ({ route }) => route.room);
  const parts = [...groups].map(([room, ofRoom]) => {
    const commands = ofRoom.map(
      (call) => `**${call.route.summary}**\n\n\`\`\`sh\n${curlCommand(call)}\n\`\`\`\n`,
    );
    return `## ${room}\n\n${commands.join('\n')}`;
  });
  return parts.join('\n');
}

/** Returns the command of a call, for a shell with `FAXDESK` and `FAXDESK_KEY`. */
function curlCommand({ route, request }: Call): string {
  const { headers = {}, json, form } = request;
  const words = [
    'curl -sS --fail-with-body',
    ...(route.method === 'GET' ? [] : [`-X ${route.method}`]),
    `"$FAXDESK${addressOf(route, request)}"`,
    ...(route.access === 'public' ? [] : ['-H "X-API-Key: $FAXDESK_KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(json))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ...('contentType' in route.answer && !route.answer.contentType.startsWith('text/') ? ['-o out'] : []),
  ];
  return words.join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function addressOf({ path }: RouteDefinition, { params = {}, query = {} }: ExampleRequest): string {
  const filled = path.replaceAll(/:(\w+)/gu, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** The same calls as a collection of Postman v2.1, which Bruno and others import too. */
export function describeCollection(): string {
  const groups = Map.groupBy(calls(), ({ route }) => route.room);
  const collection = {
    info: {
      name: 'Faxdesk',
      description: 'Every route with an example. Set `base_url` and `api_key`.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key' },
        { key: 'value', value: '{{api_key}}' },
      ],
    },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:8080' },
      { key: 'api_key', value: '' },
    ],
    item: [...groups].map(([name, ofRoom]) => ({ name, item: ofRoom.map(collectionItem) })),
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}

function collectionItem({ route, request }: Call): object {
  const { params = {}, query = {}, headers = {}, json, form } = request;
  // A segment such as `:page.png` is no variable of a collection.
  const path = route.path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^:(\w+)(?=\.)/u, (_match, name: string) => params[name] ?? ''));
  const variables = Object.entries(params).filter(([name]) => path.includes(`:${name}`));
  const search = new URLSearchParams(query).toString();
  return {
    name: route.summary,
    request: {
      method: route.method,
      ...(route.access === 'public' ? { auth: { type: 'noauth' } } : {}),
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: {
        raw: `{{base_url}}/${path.join('/')}${search ? `?${search}` : ''}`,
        host: ['{{base_url}}'],
        path,
        ...(search ? { query: Object.entries(query).map(([key, value]) => ({ key, value })) } : {}),
        ...(variables.length > 0 ? { variable: variables.map(([key, value]) => ({ key, value })) } : {}),
      },
      ...bodyOf(json, form),
    },
  };
}

function bodyOf(json: unknown, form: Readonly<Record<string, string>> | undefined): object {
  if (json !== undefined)
    return {
      body: { mode: 'raw', raw: JSON.stringify(json), options: { raw: { language: 'json' } } },
    };
  if (!form) return {};
  const formdata = Object.entries(form).map(([key, value]) =>
    value.startsWith('@') ? { key, type: 'file', src: value.slice(1) } : { key, type: 'text', value },
  );
  return { body: { mode: 'formdata', formdata } };
}
