import { GROUP, type IppAttribute, type IppMessage, type IppValue, TAGS, TEXT_TAGS } from './message.ts';

/** Encodes a message (RFC 8010). */
export function encodeMessage({ version, code, requestId, groups }: IppMessage): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(version.major, 0);
  head.writeUInt8(version.minor, 1);
  head.writeUInt16BE(code, 2);
  head.writeInt32BE(requestId, 4);
  const parts: Buffer[] = [head];
  for (const { tag, attributes } of groups) {
    parts.push(Buffer.of(tag));
    for (const attribute of attributes) addAttribute(parts, attribute);
  }
  parts.push(Buffer.of(GROUP.end));
  return Buffer.concat(parts);
}

function addAttribute(parts: Buffer[], { name, values }: IppAttribute): void {
  for (const [index, value] of values.entries()) addValue(parts, index === 0 ? name : '', value);
}

function addValue(parts: Buffer[], name: string, value: IppValue): void {
  if (value.kind !== 'collection') {
    parts.push(item(tagOf(value), name, contentOf(value)));
    return;
  }
  parts.push(item(TAGS.collection, name, EMPTY));
  for (const member of value.value) {
    parts.push(item(TAGS.memberName, '', Buffer.from(member.name)));
    for (const each of member.values) addValue(parts, '', each);
  }
  parts.push(item(TAGS.endCollection, '', EMPTY));
}

const EMPTY = Buffer.alloc(0);

function item(tag: number, name: string, content: Buffer): Buffer {
  const nameBytes = Buffer.from(name);
  const head = Buffer.alloc(3);
  head.writeUInt8(tag, 0);
  head.writeUInt16BE(nameBytes.length, 1);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([head, nameBytes, length, content]);
}

function tagOf({ kind }: IppValue): number {
  if (kind === 'other') return TAGS.octetString;
  return kind in TEXT_TAGS ? TEXT_TAGS[kind as keyof typeof TEXT_TAGS] : TAGS[kind as keyof typeof TAGS];
}

function contentOf(value: Exclude<IppValue, { kind: 'collection' }>): Buffer {
  switch (value.kind) {
    case 'integer':
    case 'enum':
      return ints(value.value);
    case 'boolean':
      return Buffer.of(value.value ? 1 : 0);
    case 'no-value':
    case 'unknown':
    case 'unsupported':
      return EMPTY;
    case 'range':
      return ints(value.value.lower, value.value.upper);
    case 'resolution':
      return Buffer.concat([ints(value.value.x, value.value.y), Buffer.of(value.value.unit)]);
    case 'octetString':
    case 'dateTime':
    case 'other':
      return value.value;
    default:
      return Buffer.from(value.value);
  }
}

function ints(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * index);
  return bytes;
}
