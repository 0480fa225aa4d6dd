import { auditSentence } from '../../../../shared/audit-sentences.ts';
import { isErrorCode, meaningOf } from '../../../../shared/errors/all.ts';
import type { access } from '../../../api/access.ts';
import { numberWord } from '../../../parts/received/fax-words.ts';
import { t } from '../../../texts/access.ts';
import { formatCount, type usePhoneFormat } from '../../../ui/format.ts';

export type AuditEvent = Awaited<ReturnType<typeof access.audit.listAudit>>['items'][number];
type PhoneFormat = ReturnType<typeof usePhoneFormat>;

const words = t.access.event;

/** Describes an event in one sentence, with its fax and its number of occurrences within the hour. */
export function eventSentence(event: AuditEvent, phone: PhoneFormat): string {
  const said = auditSentence(event, (number) => numberWord(number, phone));
  return event.count === 1 ? words.once(said) : words.times(said, formatCount(event.count));
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const isDifference = (value: unknown): value is { added: unknown[]; removed: unknown[] } =>
  typeof value === 'object' && value !== null && 'added' in value && 'removed' in value;

/** Formats one recorded detail of an event. The reason of a refusal reads as it did for the caller that was refused. */
export function detailWords(name: string, value: unknown): string {
  if (name === 'reason' && typeof value === 'string' && isErrorCode(value)) return meaningOf(value);
  if (isChange(value)) return words.changed(plain(value.to), plain(value.from));
  if (isDifference(value))
    return [
      ...(value.added.length > 0 ? [words.added(plain(value.added))] : []),
      ...(value.removed.length > 0 ? [words.removed(plain(value.removed))] : []),
    ].join(' ');
  return plain(value);
}

/** `expires_at` is `Expires at`. */
export function detailName(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function plain(value: unknown): string {
  if (value === null || value === '') return words.nothing;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object') return words.nothing;
  const facts = Object.entries(value as Record<string, unknown>);
  return facts.map(([name, fact]) => `${detailName(name)} ${plain(fact)}`).join(' · ');
}
