import {
  GROUP,
  type IppAttribute,
  IppFormatError,
  type IppGroup,
  type IppMessage,
  type IppValue,
  LAST_DELIMITER,
  TAGS,
  TEXT_TAGS,
} from './message.ts';

/** A message with more values is no honest one. */
const MAX_VALUES = 2_000;
/** Maximum depth of collections. */
const MAX_DEPTH = 8;
const MAX_NAME_BYTES = 255;

const TEXT_KINDS = new Map(Object.entries(TEXT_TAGS).map(([kind, tag]) => [tag as number, kind]));
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes the attributes of a message, from the version to the end tag, reading each byte once. Throws IppFormatError for
 * anything that RFC 8010 does not allow.
 */
export function decodeMessage(bytes: Buffer): IppMessage {
  const reader = new Reader(bytes);
  const version = { major: reader.byte(), minor: reader.byte() };
  const code = reader.short();
  const requestId = reader.int();
  const groups: IppGroup[] = [];
  for (let tag = reader.byte(); tag !== GROUP.end; tag = reader.byte()) {
    if (tag === 0 || tag > LAST_DELIMITER) throw new IppFormatError('a value is in no group');
    groups.push({ tag, attributes: readAttributes(reader) });
  }
  if (!reader.isAtEnd) throw new IppFormatError('bytes follow the end of the attributes');
  return { version, code, requestId, groups };
}

function readAttributes(reader: Reader): IppAttribute[] {
  const attributes: { name: string; values: IppValue[] }[] = [];
  while (reader.peek() > LAST_DELIMITER) {
    const { tag, name, value } = reader.item();
    if (tag === TAGS.endCollection || tag === TAGS.memberName)
      throw new IppFormatError('a member is in no collection');
    const current = attributes.at(-1);
    if (name === '' && !current) throw new IppFormatError('a value has no attribute');
    const decoded = readValue(reader, { tag, value, depth: 1 });
    if (name === '') current?.values.push(decoded);
    else attributes.push({ name, values: [decoded] });
  }
  return attributes;
}

/** Reads the members of a collection up to its end. */
function readMembers(reader: Reader, depth: number): IppAttribute[] {
  if (depth > MAX_DEPTH) throw new IppFormatError('collections are nested too deep');
  const members: { name: string; values: IppValue[] }[] = [];
  for (;;) {
    const { tag, name, value } = reader.item();
    if (name !== '') throw new IppFormatError('a member has a name of an attribute');
    if (tag === TAGS.endCollection) break;
    if (tag === TAGS.memberName) {
      members.push({ name: textOf(value), values: [] });
      continue;
    }
    const current = members.at(-1);
    if (!current) throw new IppFormatError('a value has no member');
    current.values.push(readValue(reader, { tag, value, depth: depth + 1 }));
  }
  if (members.some(({ name, values }) => name === '' || values.length === 0))
    throw new IppFormatError('a member has no name or no value');
  return members;
}

function readValue(
  reader: Reader,
  { tag, value, depth }: { tag: number; value: Buffer; depth: number },
): IppValue {
  const text = TEXT_KINDS.get(tag);
  if (text !== undefined) return { kind: text, value: textOf(value) } as IppValue;
  switch (tag) {
    case TAGS.unsupported:
      return { kind: 'unsupported', value: null };
    case TAGS.unknown:
      return { kind: 'unknown', value: null };
    case TAGS['no-value']:
      return { kind: 'no-value', value: null };
    case TAGS.integer:
      return { kind: 'integer', value: sized(value, 4).readInt32BE() };
    case TAGS.enum:
      return { kind: 'enum', value: sized(value, 4).readInt32BE() };
    case TAGS.boolean:
      return { kind: 'boolean', value: booleanOf(sized(value, 1)[0] ?? 0) };
    case TAGS.range:
      return { kind: 'range', value: { lower: sized(value, 8).readInt32BE(), upper: value.readInt32BE(4) } };
    case TAGS.resolution:
      sized(value, 9);
      return {
        kind: 'resolution',
        value: { x: value.readInt32BE(), y: value.readInt32BE(4), unit: value.readInt8(8) },
      };
    case TAGS.collection:
      sized(value, 0);
      return { kind: 'collection', value: readMembers(reader, depth) };
    case TAGS.textWithLanguage:
      return { kind: 'text', value: withoutLanguage(value) };
    case TAGS.nameWithLanguage:
      return { kind: 'name', value: withoutLanguage(value) };
    case TAGS.octetString:
      return { kind: 'octetString', value };
    case TAGS.dateTime:
      return { kind: 'dateTime', value: sized(value, 11) };
    default:
      return { kind: 'other', value };
  }
}

function sized(value: Buffer, bytes: number): Buffer {
  if (value.length !== bytes) throw new IppFormatError('a value has a length that its syntax does not allow');
  return value;
}

function booleanOf(byte: number): boolean {
  if (byte > 1) throw new IppFormatError('a boolean is neither true nor false');
  return byte === 1;
}

function textOf(value: Buffer): string {
  try {
    return utf8.decode(value);
  } catch {
    throw new IppFormatError('a text is not UTF-8');
  }
}

/** Language and text, each after its length. */
function withoutLanguage(value: Buffer): string {
  const reader = new Reader(value);
  reader.take(reader.short());
  const text = textOf(reader.take(reader.short()));
  if (!reader.isAtEnd) throw new IppFormatError('a text with its language has another length');
  return text;
}

/** Reads bytes in order. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new IppFormatError('the message breaks off');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** The next byte, which stays unread; 0 at the end. */
  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  short(): number {
    return this.take(2).readUInt16BE();
  }

  int(): number {
    return this.take(4).readInt32BE();
  }

  /** Tag, name and content of a value. */
  item(): { tag: number; name: string; value: Buffer } {
    const tag = this.byte();
    if (tag <= LAST_DELIMITER) throw new IppFormatError('a collection has no end');
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw new IppFormatError('the message has too many values');
    const nameBytes = this.short();
    if (nameBytes > MAX_NAME_BYTES) throw new IppFormatError('a name is too long');
    const name = textOf(this.take(nameBytes));
    return { tag, name, value: this.take(this.short()) };
  }
}
