import { formatHours, readHours } from '../../../../shared/allowed-hours.ts';
import { PrintRuleIn } from '../../../../shared/api/print-rules.ts';
import type { PrintRule } from '../../../api/print-rules.ts';
import { t } from '../../../texts/print-rules.ts';

const words = t.printRules.rules;

/** Id of the choice of all mailboxes; ids of mailboxes are longer. */
export const ALL_MAILBOXES = 'all';

/** Values of the form of a print rule, as typed. */
export interface TypedPrintRule {
  readonly name: string;
  /** Id of a mailbox, or ALL_MAILBOXES. */
  readonly mailbox: string;
  readonly printer: string;
  readonly address: string;
  /** As `Mon-Fri 08:00-17:00`; empty for always. */
  readonly hours: string;
  readonly isOn: boolean;
}

/** Sentence for each invalid field. */
type FieldProblems = { readonly [Name in keyof TypedPrintRule]?: string };

/** Returns the form values of a stored rule, or those of a new one. */
export function formValuesOf(rule: PrintRule | undefined): TypedPrintRule {
  return {
    name: rule?.name ?? '',
    mailbox: rule?.mailbox?.id ?? ALL_MAILBOXES,
    printer: rule?.printer ?? '',
    address: rule?.printer_url ?? '',
    hours: formatHours(rule?.hours ?? []),
    isOn: rule?.enabled ?? true,
  };
}

/** Returns the body of the request that saves the form. */
export function bodyOf(typed: TypedPrintRule, version: number | null) {
  return {
    name: typed.name.trim(),
    printer: typed.printer.trim(),
    printer_url: typed.address.trim(),
    mailbox_id: typed.mailbox === ALL_MAILBOXES ? null : typed.mailbox,
    hours: typed.hours.trim() === '' ? null : readHours(typed.hours),
    enabled: typed.isOn,
    version,
  };
}

/** Validates the input. */
export function problemsOf(typed: TypedPrintRule): FieldProblems {
  const body = bodyOf(typed, null);
  const { shape } = PrintRuleIn;
  const isGood = (name: 'name' | 'printer' | 'printer_url') => shape[name].safeParse(body[name]).success;
  const problems: { [Name in keyof TypedPrintRule]?: string | false | null } = {
    name: lineProblem(body.name, isGood('name')),
    printer: lineProblem(body.printer, isGood('printer')),
    address: !isGood('printer_url') && (body.printer_url === '' ? words.missing : words.address),
    hours: typed.hours.trim() !== '' && body.hours === null && words.hours,
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}

function lineProblem(text: string, isGood: boolean): string | null {
  if (text === '') return words.missing;
  return isGood ? null : words.invisible;
}
