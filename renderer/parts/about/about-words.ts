import type { z } from 'zod';
import type { FaxJob } from '../../../shared/api/outbound-shapes.ts';

/** Subject, reference and type of a fax; null for each that is not given. */
export type About = Pick<z.infer<typeof FaxJob>, 'subject' | 'reference' | 'document_type'>;

/** The same as typed; empty for each that is not given. */
export type TypedAbout = Readonly<Record<keyof About, string>>;

export const NOTHING_TYPED: TypedAbout = { subject: '', reference: '', document_type: '' };

/** Returns type, subject and reference in one line; null when none of them is given. */
export function aboutLine({ document_type, subject, reference }: About | TypedAbout): string | null {
  const given = [document_type, subject, reference].filter((text) => text !== null && text.trim() !== '');
  return given.length === 0 ? null : given.join(' · ');
}

export const typedAbout = ({ subject, reference, document_type }: About): TypedAbout => ({
  subject: subject ?? '',
  reference: reference ?? '',
  document_type: document_type ?? '',
});
