import type { CallbackForm } from '../../../features/outbound/transport-port.ts';
import { plainText } from '../plain-text.ts';
import { isRecord, parsedJson } from '../wire-values.ts';
import { faxSchema, type WireFax } from './wire.ts';

type Fields = ReadonlyMap<string, string>;

type FaxFormReading =
  | { readonly kind: 'fax'; readonly fax: WireFax; readonly isTest: boolean }
  /** An event on the way to the outcome, e.g. a page that passed. */
  | { readonly kind: 'inflight'; readonly providerId: string | null; readonly event: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads the form of a webhook in any of the vendor's layouts: `fax` as JSON text (v1 and v2.1), or the fax's fields flat
 * or as `fax[name]` (v2). Says nothing about its signature.
 */
export function readFaxForm(form: Pick<CallbackForm, 'fields'>): FaxFormReading {
  const fields = singleFields(form);
  if (typeof fields === 'string') return unreadable(fields);
  const source = faxSource(fields);
  if (source === null) return unreadable('The callback contains no readable fax.');
  const event = fields.get('event_type') ?? '';
  if (event !== '' && event !== 'fax_completed') {
    return { kind: 'inflight', providerId: idOf(source), event: plainText(event, 60) };
  }
  const direction = fields.get('direction') ?? null;
  const fax = faxSchema.safeParse({ ...source, direction: source['direction'] ?? direction });
  if (!fax.success) return unreadable('The fax in the callback has no id or no status.');
  if (direction && fax.data.direction && direction !== fax.data.direction) {
    return unreadable('The callback has two directions.');
  }
  const isTest = fields.get('is_test') === 'true' || fax.data.is_test === 'true';
  return { kind: 'fax', fax: fax.data, isTest };
}

/** Fields that identify the fax and its outcome, in every layout. */
const decisive = /^(?:fax|event_type|(?:fax\[)?(?:id|status|direction|is_test)\]?)$/u;

/**
 * A field that is repeated with another value could be read in two ways: it counts as absent, and a decisive one leaves the
 * form unread. Names ending in `[]` are lists and unused.
 */
function singleFields(form: Pick<CallbackForm, 'fields'>): Fields | string {
  const fields = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const [name, value] of form.fields) {
    if (name.endsWith('[]')) continue;
    if ((fields.get(name) ?? value) !== value) ambiguous.add(name);
    fields.set(name, value);
  }
  for (const name of ambiguous) {
    if (decisive.test(name)) return `The field ${plainText(name, 40)} has two values.`;
    fields.delete(name);
  }
  return fields;
}

function faxSource(fields: Fields): Record<string, unknown> | null {
  const json = fields.get('fax');
  if (json !== undefined) return objectOf(json);
  if (fields.has('fax[id]')) return fieldsOf(fields, (name) => `fax[${name}]`);
  return fields.has('id') ? fieldsOf(fields, (name) => name) : null;
}

const numberNames = ['from_number', 'to_number'];
const timeNames = ['created_at', 'completed_at'];
const faxNames = ['id', 'status', 'direction', 'is_test', 'num_pages', 'cost', ...timeNames, ...numberNames];
const errorNames = ['error_id', 'error_type', 'error_message'];
const recipientFacts = ['status', 'retry_count', 'completed_at', 'bitrate'];
const recipientNames = ['phone_number', 'number', ...recipientFacts, ...errorNames];

function fieldsOf(fields: Fields, nameOf: (name: string) => string): Record<string, unknown> {
  const fax = picked(fields, [...faxNames, ...errorNames], nameOf);
  const prefix = nameOf('recipients');
  const recipients = listOf(fields.get(prefix)) ?? [
    picked(fields, recipientNames, (name) => `${prefix}[0][${name}]`),
  ];
  return { ...fax, recipients };
}

/** An empty field is the vendor's null. */
function picked(
  fields: Fields,
  names: readonly string[],
  nameOf: (name: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields.get(nameOf(name)) || null]));
}

function objectOf(json: string): Record<string, unknown> | null {
  const value = parsedJson(json);
  return isRecord(value) ? { ...value } : null;
}

function listOf(json: string | undefined): unknown[] | null {
  const value = json === undefined ? null : parsedJson(json);
  return Array.isArray(value) ? value : null;
}

function idOf(source: Record<string, unknown>): string | null {
  const id = faxSchema.shape.id.safeParse(source['id']);
  return id.success ? id.data : null;
}

function unreadable(reason: string): FaxFormReading {
  return { kind: 'unreadable', reason };
}
