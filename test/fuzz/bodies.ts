import type { Random } from './random.ts';

export interface FuzzBody {
  /** Content-Type; undefined for none. */
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

const BOUNDARY = 'fuzz-boundary';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const TYPES = [
  MULTIPART,
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary="${'b'.repeat(300)}"`,
  `multipart/mixed; boundary=${BOUNDARY}`,
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'text/plain',
  ';;;',
  undefined,
];
const NAMES = [
  'file',
  'filename',
  'fax',
  'manifest',
  'success',
  'direction',
  'to',
  'event',
  'fileType',
  '__proto__',
  '',
  '\u0000',
];
const TEXTS = [
  '',
  'x',
  '+12025550123',
  'received',
  'INCOMING_FAX',
  '{"id":1,"status":"success","direction":"received"}',
  '{"source_system":"a","operation_id":"b"}',
  '{"source_system":{},"operation_id":[[[]]],"__proto__":1}',
  '{"id":"../x","fax":{"fax":null}}',
  '[]',
  'null',
  '\u0000',
  '%PDF-1.4 broken',
];

/** A body of any kind, most of them broken in some way. */
export function makeBody(random: Random): FuzzBody {
  const kind = random.int(10);
  if (kind < 6) return { type: random.chance(85) ? MULTIPART : random.pick(TYPES), bytes: multipart(random) };
  const type = (right: string) => (random.chance(85) ? right : random.pick(TYPES));
  if (kind < 8) return { type: type('application/json'), bytes: json(random) };
  if (kind < 9) return { type: type('application/x-www-form-urlencoded'), bytes: urlEncoded(random) };
  return { type: random.pick(TYPES), bytes: random.bytes(random.int(3000)) };
}

function multipart(random: Random): Buffer {
  const parts: Buffer[] = [];
  if (random.chance(10)) parts.push(Buffer.from('a preamble\r\n'));
  for (let left = random.int(6); left > 0; left -= 1) parts.push(part(random));
  if (random.chance(3)) parts.push(...Array.from({ length: 300 }, () => part(random, 4)));
  if (random.chance(75)) parts.push(Buffer.from(`--${BOUNDARY}--${random.chance(80) ? '\r\n' : ''}`));
  if (random.chance(15)) parts.push(random.chance(50) ? part(random) : random.bytes(500));
  const whole = Buffer.concat(parts);
  return random.chance(20) ? whole.subarray(0, random.int(whole.length + 1)) : whole;
}

function part(random: Random, mostBytes = 300_000): Buffer {
  if (random.chance(10)) return Buffer.from(`--${BOUNDARY}\r\n${'\r\n'.repeat(random.int(4))}`);
  const heading = Array.from({ length: random.chance(80) ? 1 : random.int(4) }, () => disposition(random));
  if (random.chance(30))
    heading.push(`Content-Type: ${random.pick(['application/pdf', '', 'a/b; charset=x', 'x'])}`);
  if (random.chance(5)) heading.push(`X-Long: ${'y'.repeat(random.int(100_000))}`);
  if (random.chance(5)) heading.push('no colon');
  if (random.chance(5)) heading.push('Content-Transfer-Encoding: base64');
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${heading.join('\r\n')}\r\n\r\n`),
    value(random, mostBytes),
    Buffer.from(random.chance(95) ? '\r\n' : ''),
  ]);
}

function disposition(random: Random): string {
  const name = random.chance(85) ? `; name="${random.pick(NAMES)}"` : '';
  const file = random.chance(50)
    ? `; filename="${random.pick(['a.pdf', '', '../../x', 'ü', '\u0007'])}"`
    : '';
  const other = random.chance(5) ? "; filename*=UTF-8''%zz" : '';
  return `Content-Disposition: ${random.chance(92) ? 'form-data' : 'attachment'}${name}${file}${other}`;
}

function value(random: Random, mostBytes: number): Buffer {
  const kind = random.int(10);
  if (kind < 6) return Buffer.from(random.pick(TEXTS));
  if (kind < 7) return multipartWithin();
  if (kind < 9) return random.bytes(random.int(Math.min(mostBytes, 2000)));
  return Buffer.alloc(random.int(mostBytes), 'x');
}

/** The same boundary, and another one, within a part. */
const multipartWithin = () => Buffer.from(`--${BOUNDARY}x\r\n--${BOUNDARY}\r\n--inner\r\n\r\n--inner--`);

function json(random: Random): Buffer {
  const kind = random.int(8);
  if (kind === 0) return Buffer.from('['.repeat(random.int(50_000)));
  if (kind === 1) return random.bytes(200);
  if (kind === 2) return Buffer.from(`{"event":"INCOMING_FAX","file":"${'A'.repeat(random.int(400_000))}"`);
  const text = JSON.stringify(jsonValue(random, 4));
  return Buffer.from(random.chance(80) ? text : text.slice(0, random.int(text.length)));
}

function jsonValue(random: Random, depth: number): unknown {
  const kind = random.int(depth > 0 ? 8 : 5);
  if (kind === 0) return random.pick([null, true, 0, -1, 1e308, 'INCOMING_FAX']);
  if (kind < 5) return random.pick(TEXTS);
  if (kind === 5) return Array.from({ length: random.int(4) }, () => jsonValue(random, depth - 1));
  const names = [...NAMES, 'login', 'password', 'api_key', 'code', 'file', 'path', 'call_id', 'from', 'id'];
  return Object.fromEntries(
    Array.from({ length: random.int(6) }, () => [random.pick(names), jsonValue(random, depth - 1)]),
  );
}

function urlEncoded(random: Random): Buffer {
  const pairs = Array.from(
    { length: random.chance(5) ? 500 : random.int(8) },
    () => `${random.pick(NAMES)}=${random.chance(80) ? encodeURIComponent(random.pick(TEXTS)) : '%zz%'}`,
  );
  return Buffer.from(pairs.join(random.pick(['&', '&', ';'])));
}
