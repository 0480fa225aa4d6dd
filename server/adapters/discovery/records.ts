import type { Answer, DecodedPacket, NsecData, Question, SrvData, TxtData } from 'dns-packet';
import { type Link, reachedAt } from './links.ts';
import type { AnnouncedService } from './port.ts';

/** A service with the name under which it is announced. */
export interface NamedService extends AnnouncedService {
  /** First label of its name; it may have spaces, but no dot. */
  readonly label: string;
}

/** Seconds for which others may keep records with a host, and other records (RFC 6762, 10). */
const HOST_TTL = 120;
const OTHER_TTL = 4_500;
/** Seconds for a program that asks without being a responder itself (RFC 6762, 6.7). */
const LEGACY_TTL = 10;
const TYPES_NAME = '_services._dns-sd._udp.local';

interface RecordHead {
  readonly name: string;
  readonly ttl: number;
  /** True for records whose name is ours alone: others forget what they had. */
  readonly flush?: boolean;
}

/** A record in the form of the package `dns-packet`. */
export type AnnouncedRecord = RecordHead &
  (
    | { readonly type: 'A' | 'AAAA' | 'PTR'; readonly data: string }
    | { readonly type: 'SRV'; readonly data: SrvData }
    | { readonly type: 'TXT'; readonly data: TxtData }
    | { readonly type: 'NSEC'; readonly data: NsecData }
  );

export const instanceName = ({ label, type }: NamedService) => `${label}.${type}.local`;

/** Returns all records of the services on a link. */
export function recordsOf(services: readonly NamedService[], host: string, link: Link): AnnouncedRecord[] {
  const addresses = [...new Set(services.flatMap(({ address }) => reachedAt(address, link)))];
  const shown = services.filter(({ address }) => reachedAt(address, link).length > 0);
  return [...shown.flatMap((service) => serviceRecords(service, host)), ...addressRecords(addresses, host)];
}

function serviceRecords(service: NamedService, host: string): AnnouncedRecord[] {
  const { type, subtypes, port, facts } = service;
  const name = instanceName(service);
  const pointers = [`${type}.local`, ...subtypes.map((subtype) => `${subtype}._sub.${type}.local`)];
  const data = Object.entries(facts).map(([key, value]) => shortFact(`${key}=${value}`));
  return [
    ...pointers.map((from) => ({ type: 'PTR' as const, name: from, ttl: OTHER_TTL, data: name })),
    { type: 'PTR', name: TYPES_NAME, ttl: OTHER_TTL, data: `${type}.local` },
    { type: 'SRV', name, ttl: HOST_TTL, flush: true, data: { target: host, port, priority: 0, weight: 0 } },
    { type: 'TXT', name, ttl: OTHER_TTL, flush: true, data: data.length === 0 ? [''] : data },
  ];
}

function addressRecords(addresses: readonly string[], name: string): AnnouncedRecord[] {
  return addresses.map((data) => {
    const type = data.includes(':') ? ('AAAA' as const) : ('A' as const);
    return { type, name, ttl: HOST_TTL, flush: true, data };
  });
}

/** A string in a TXT record has at most 255 bytes. */
function shortFact(fact: string): Buffer {
  return Buffer.from(fact).subarray(0, 255);
}

/** Returns the records that answer a query, and those that the asker needs next; null when there are none. */
export function answersTo(
  query: Pick<DecodedPacket, 'questions' | 'answers'>,
  records: readonly AnnouncedRecord[],
): { answers: AnnouncedRecord[]; additionals: AnnouncedRecord[] } | null {
  const found = (query.questions ?? []).flatMap((question) => answersToQuestion(question, records));
  const answers = [...new Set(found)].filter((record) => !isKnown(record, query.answers ?? []));
  if (answers.length === 0) return null;
  const next = answers.flatMap((record) => neededAfter(record, records));
  const further = next.flatMap((record) => [record, ...neededAfter(record, records)]);
  const additionals = [...new Set(further)].filter((record) => !answers.includes(record));
  return { answers, additionals };
}

function answersToQuestion(question: Question, records: readonly AnnouncedRecord[]): AnnouncedRecord[] {
  const named = records.filter(({ name }) => isSameName(name, question.name));
  const type: string = question.type;
  const answers = type === 'ANY' ? named : named.filter((record) => record.type === type);
  if (answers.length > 0) return answers;
  // The name is ours alone, and has no such record: saying so spares the asker from waiting.
  const own = named.filter((record) => record.flush === true);
  return own.length === 0 ? [] : [missingTypes(own)];
}

function missingTypes(own: readonly AnnouncedRecord[]): AnnouncedRecord {
  const name = own[0]?.name ?? '';
  const rrtypes = [...new Set(own.map(({ type }) => type))];
  return { type: 'NSEC', name, ttl: HOST_TTL, flush: true, data: { nextDomain: name, rrtypes } };
}

function neededAfter(record: AnnouncedRecord, records: readonly AnnouncedRecord[]): AnnouncedRecord[] {
  const next = record.type === 'PTR' ? record.data : record.type === 'SRV' ? record.data.target : null;
  return next === null ? [] : records.filter(({ name, type }) => type !== 'PTR' && isSameName(name, next));
}

/** An asker lists the answers it has, so that they are not sent again. */
function isKnown(record: AnnouncedRecord, known: readonly Answer[]): boolean {
  if (record.type !== 'PTR') return false;
  return known.some(
    (each) =>
      each.type === 'PTR' &&
      isSameName(each.name, record.name) &&
      isSameName(each.data, record.data) &&
      (each.ttl ?? 0) * 2 >= record.ttl,
  );
}

/** Names are the same in capitals and small letters of ASCII. */
export function isSameName(a: string, b: string): boolean {
  return a.length === b.length && a.toLowerCase() === b.toLowerCase();
}

/** Returns the records as a program gets them that keeps no cache: for a short time, without the mark of a cache. */
export function forLegacy(records: readonly AnnouncedRecord[]): AnnouncedRecord[] {
  return records.map((record) => ({ ...record, ttl: Math.min(record.ttl, LEGACY_TTL), flush: false }));
}

/** Returns the records that take others back. */
export function goodbyes(records: readonly AnnouncedRecord[]): AnnouncedRecord[] {
  return records
    .filter(({ type, name }) => type !== 'NSEC' && name !== TYPES_NAME)
    .map((record) => ({ ...record, ttl: 0 }));
}
