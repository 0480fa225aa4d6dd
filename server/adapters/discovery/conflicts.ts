import { isIPv4 } from 'node:net';
import type { Answer, DecodedPacket, SrvData } from 'dns-packet';
import { type AnnouncedRecord, isSameName } from './records.ts';

type Message = Pick<DecodedPacket, 'type' | 'answers' | 'additionals' | 'authorities'>;

/**
 * Returns the names among our own for which another computer has data that differ from ours. `own` has the records of
 * every link, since this computer has other addresses on each. Of two computers that probe for a name at the same time
 * the one wins whose data come later in the order of their bytes (RFC 6762, 8.2).
 */
export function conflictingNames(message: Message, own: readonly AnnouncedRecord[]): Set<string> {
  const { type, answers = [], additionals = [], authorities = [] } = message;
  const isResponse = type === 'response';
  const theirs = isResponse ? [...answers, ...additionals] : authorities;
  const found = new Set<string>();
  for (const each of theirs) {
    // A record that is taken back claims nothing.
    if (each.type === 'OPT' || each.ttl === 0) continue;
    const key = keyOf(each);
    const ours = own.filter((record) => isSameKind(record, each) && isSameName(record.name, each.name));
    const keys = ours.map(keyOf).filter((other) => other !== null);
    const [first] = ours;
    if (key === null || first === undefined || keys.some((other) => other.equals(key))) continue;
    if (isResponse || keys.every((other) => Buffer.compare(key, other) > 0)) found.add(first.name);
  }
  return found;
}

const isAddress = (type: string) => type === 'A' || type === 'AAAA';

const isSameKind = (a: AnnouncedRecord, b: Answer) =>
  a.type === b.type || (isAddress(a.type) && isAddress(b.type));

/** Returns the data of a record that claims its name, as bytes to compare; null for other records. */
function keyOf(record: Answer | AnnouncedRecord): Buffer | null {
  if (record.type === 'SRV') return serverKey(record.data);
  return record.type === 'A' || record.type === 'AAAA' ? addressKey(record.data) : null;
}

function serverKey({ priority = 0, weight = 0, port, target }: SrvData): Buffer {
  const head = Buffer.alloc(6);
  for (const [index, value] of [priority, weight, port].entries()) head.writeUInt16BE(value, index * 2);
  const labels = target.toLowerCase().split('.');
  const named = labels.flatMap((label) => [Buffer.from([Buffer.byteLength(label)]), Buffer.from(label)]);
  return Buffer.concat([head, ...named, Buffer.from([0])]);
}

/** IPv6 addresses are compared as they are written: both sides only have to come to the same order. */
function addressKey(address: string): Buffer {
  return isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address.toLowerCase());
}
