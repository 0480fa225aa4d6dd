import { MANIFEST_BYTES } from '../../../shared/api/imports.ts';
import { isoTime } from '../../platform/clock.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { badManifest } from './errors.ts';
import type { ImportsParts } from './parts.ts';
import type { Manifest } from './types.ts';

/** Parses the text of a manifest. Throws a 400 refusal with a sentence that says what cannot be read. */
export function readManifest(
  parts: Pick<ImportsParts, 'checkManifest' | 'settings'>,
  text: string | undefined,
): Manifest {
  if (text === undefined) throw badManifest('Send it as JSON text in the field "manifest".');
  if (Buffer.byteLength(text) > MANIFEST_BYTES) throw badManifest('It is larger than 8 KB.');
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badManifest('It must be a JSON object.');
  const checked = parts.checkManifest(value);
  if ('problem' in checked) throw badManifest(checked.problem);
  return {
    sourceSystem: checked.source_system,
    operationId: checked.operation_id,
    revision: checked.revision ?? '',
    sourceReceivedAt: timeOf(checked.source_received_at),
    to: numberOf(parts, 'to_number', checked.to_number),
    from: numberOf(parts, 'from_number', checked.from_number),
    pages: checked.pages ?? null,
    fields: { ...checked },
  };
}

/** Describes the origin of a document with a manifest, for its evidence. */
export function describeManifest({ sourceSystem, operationId, revision }: Manifest): string {
  const version = revision === '' ? '' : `, revision ${revision}`;
  return `The document was imported from ${sourceSystem}. Its operation ID there is ${operationId}${version}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw badManifest('It is not JSON.');
  }
}

/** An offset can lead out of the years that a stored time can have. */
function timeOf(given: string | null | undefined): string | null {
  if (given === null || given === undefined) return null;
  const epochMs = Date.parse(given);
  if (!Number.isFinite(epochMs) || !/^\d{4}-/u.test(isoTime(epochMs)))
    throw badManifest('"source_received_at" must be a time such as 2026-10-31T08:00:00Z.');
  return isoTime(epochMs);
}

function numberOf(
  { settings }: Pick<ImportsParts, 'settings'>,
  field: 'to_number' | 'from_number',
  given: string | null | undefined,
): string | null {
  if (given === null || given === undefined || given.trim() === '') return null;
  const number = requestedNumber(given, settings.country());
  if (number === null) throw badManifest(`"${field}" is not a complete fax number.`);
  return number;
}
