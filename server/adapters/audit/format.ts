import type { AuditEvent } from './port.ts';

export type AuditFormat = 'json' | 'text';

/** An event as one line without its line end: JSON, or `time event name=value …` with quoted values where needed. */
export function formatAuditEvent(event: AuditEvent, format: AuditFormat): string {
  if (format === 'json') return JSON.stringify(event);
  const { at, event: name, ...facts } = event;
  const pairs = Object.entries(facts).map(([key, value]) => `${key}=${formatValue(value)}`);
  return [at, name, ...pairs].join(' ');
}

function formatValue(value: string | number | boolean | null): string {
  if (value === null) return '-';
  const text = String(value);
  return /^[\w.:+/@-]+$/.test(text) && text !== '-' ? text : JSON.stringify(text);
}
