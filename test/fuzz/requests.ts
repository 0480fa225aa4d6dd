import type { RouteDefinition } from '../../shared/api/route.ts';
import { allRoutes } from '../setup/every-route.ts';
import { type FuzzBody, makeBody } from './bodies.ts';
import { shapeOf, valueFor } from './json-value.ts';
import type { Random } from './random.ts';
import type { FuzzRequest, FuzzSubject, FuzzTargets } from './subject.ts';

/** Public routes; uploads beside them, since they share the parsing of forms. */
const ROUTES: readonly RouteDefinition[] = [
  ...allRoutes.filter(({ access }) => access === 'public'),
  ...allRoutes.filter(({ path, method }) => ['/fax', '/imports'].includes(path) && method === 'POST'),
];
const FROM_PROVIDERS = ROUTES.filter(({ from }) => from === 'provider');

const WITH_FORMS = ROUTES.filter(({ form }) => form !== undefined);
const CONNECTIONS = 16;

/** Requests to public routes and uploads, nearly right or wholly wrong: headers, framing, bodies of every kind. */
export function publicSubject(): FuzzSubject {
  return {
    connections: CONNECTIONS,
    makeRequest: (random, targets) =>
      makeRequest(random.chance(60) ? random.pick(FROM_PROVIDERS) : random.pick(ROUTES), random, targets),
  };
}

/** The same to the routes at which providers report. */
export function callbacksSubject(): FuzzSubject {
  return {
    connections: CONNECTIONS,
    makeRequest: (random, targets) => makeRequest(random.pick(FROM_PROVIDERS), random, targets),
  };
}

/** The same to the routes that take forms. */
export function multipartSubject(): FuzzSubject {
  return {
    connections: CONNECTIONS,
    makeRequest: (random, targets) => makeRequest(random.pick(WITH_FORMS), random, targets),
  };
}

function makeRequest(route: RouteDefinition, random: Random, targets: FuzzTargets): FuzzRequest {
  const method = random.chance(92)
    ? route.method
    : random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'FOO']);
  const path = pathOf(route, random, targets);
  const hasBody = route.method !== 'GET' || random.chance(20);
  const body: FuzzBody = hasBody ? bodyOf(route, random) : { type: undefined, bytes: Buffer.alloc(0) };
  const headers = headersOf(random, body, targets);
  const framed = framing(random, body.bytes);
  const lines = [...headers, ...framed.headers].map((line) => `${line}\r\n`).join('');
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  const name = `${method} ${path.slice(0, 60)}`;
  if (random.chance(2)) return { name, bytes: head.subarray(0, random.int(head.length)), isWhole: false };
  return { name, bytes: Buffer.concat([head, framed.bytes]), isWhole: framed.isWhole };
}

/** Returns a body that fits the schema of the route in most fields, or one of any kind. */
function bodyOf({ body }: RouteDefinition, random: Random): FuzzBody {
  if (body === undefined || random.chance(50)) return makeBody(random);
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(valueFor(random, shapeOf(body)))) };
}

function pathOf({ path, id }: RouteDefinition, random: Random, { callback }: FuzzTargets): string {
  const filled = path.replaceAll(/:\w+/gu, () => random.pick(['x', '%zz', '..%2f', 'a'.repeat(32), '%00']));
  if (id === 'cloudoneCallback' && random.chance(85)) return `${filled}?${callback}`;
  return random.chance(80)
    ? filled
    : `${filled}?${random.pick(['%', 'a=%00', 'a[]=1&a[]=2', 'job_id=x', 'x'.repeat(900)])}`;
}

function headersOf(random: Random, { type }: FuzzBody, { key, basic }: FuzzTargets): string[] {
  const right = `Basic ${Buffer.from(basic).toString('base64')}`;
  const signature = random.pick(['a'.repeat(40), 'a'.repeat(40), 'A'.repeat(40), '']);
  return [
    `Host: ${random.chance(92) ? '127.0.0.1' : random.pick(['', 'evil.example', 'a b', '[::1', '[::1]:99999'])}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(random.chance(5) ? ['Content-Type: application/json'] : []),
    ...(random.chance(85) ? [`X-Phaxio-Signature: ${signature}`] : []),
    ...(random.chance(5) ? [`X-Phaxio-Signature: ${'b'.repeat(40)}`] : []),
    ...(random.chance(80)
      ? [`Authorization: ${random.chance(90) ? right : random.pick(['Basic', 'Basic !', 'x'])}`]
      : []),
    ...(random.chance(30) ? [`X-API-Key: ${random.chance(80) ? key : 'x'.repeat(random.int(2000))}`] : []),
    ...(random.chance(5) ? [`Origin: ${random.pick(['null', 'https://evil.example', 'x'])}`] : []),
    ...(random.chance(5)
      ? [`Cookie: ${random.pick(['a', 'faxdesk_local_session=x', '='.repeat(500)])}`]
      : []),
    ...(random.chance(3) ? ['Expect: 100-continue'] : []),
    ...(random.chance(3) ? ['Content-Encoding: gzip'] : []),
    ...(random.chance(3) ? [`X-Request-Id: ${'r'.repeat(200)}`] : []),
    ...(random.chance(3) ? [`Last-Event-ID: ${random.pick(['x', '-1', '9'.repeat(40)])}`] : []),
    ...(random.chance(2) ? ['Connection: close'] : []),
  ];
}

/** Frames the body, also with wrong lengths, broken chunks, and bytes after the end. */
function framing(random: Random, body: Buffer): { headers: string[]; bytes: Buffer; isWhole: boolean } {
  const length = (bytes: number) => `Content-Length: ${bytes}`;
  const kind = random.int(20);
  if (kind === 0)
    return { headers: [length(body.length + 1 + random.int(1e7))], bytes: body, isWhole: false };
  if (kind === 1) return { headers: [length(random.int(body.length + 1))], bytes: body, isWhole: true };
  if (kind === 2)
    return { headers: [length(body.length), length(body.length + 1)], bytes: body, isWhole: true };
  if (kind < 6) {
    const size = random.chance(85)
      ? body.length.toString(16)
      : random.pick(['zz', '-1', 'fffffffffffffffff']);
    const end = random.chance(80) ? '\r\n0\r\n\r\n' : '';
    const chunk = Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(end)]);
    const both = random.chance(10) ? [length(body.length)] : [];
    const isWhole = end !== '' && body.length > 0;
    return { headers: ['Transfer-Encoding: chunked', ...both], bytes: chunk, isWhole };
  }
  const after = random.chance(5) ? random.bytes(300) : Buffer.alloc(0);
  return { headers: [length(body.length)], bytes: Buffer.concat([body, after]), isWhole: true };
}
