import type { CallbackForm, CallbackReading } from '../port.ts';
import { readFaxForm } from './fax-form.ts';
import { reportOf } from './fax-report.ts';

/** Reads a verified callback in any of the vendor's layouts. Says nothing about its signature. */
export function readCallback(form: CallbackForm): CallbackReading {
  const reading = readFaxForm(form);
  return reading.kind === 'fax' ? { kind: 'report', report: reportOf(reading.fax) } : reading;
}
