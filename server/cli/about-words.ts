import type { Command } from 'commander';
import { CommandFailure, EXIT } from './exit-codes.ts';

interface About {
  readonly subject: string | null;
  readonly reference: string | null;
  readonly document_type: string | null;
}

/** Returns the facts about subject, reference and type, those that are given. */
export function aboutFacts({ subject, reference, document_type }: About): (readonly [string, string])[] {
  return [
    ...(subject === null ? [] : [['Subject', subject] as const]),
    ...(reference === null ? [] : [['Reference', reference] as const]),
    ...(document_type === null ? [] : [['Document type', document_type] as const]),
  ];
}

/** Returns them in one column of a list. */
export const aboutColumn = ({ subject, reference, document_type }: About): string =>
  [document_type, subject, reference].filter((text) => text !== null).join(' · ');

export interface AboutOptions {
  readonly subject?: string;
  readonly reference?: string;
  readonly type?: string;
}

export function addAboutOptions(command: Command): Command {
  return command
    .option('--subject <text>', 'subject of the fax')
    .option('--reference <text>', 'patient, case or order that it belongs to')
    .option('--type <text>', 'type of the document, e.g. Referral');
}

/** Returns the fields of those that are given. */
export function aboutFieldsOf({ subject, reference, type }: AboutOptions) {
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(reference === undefined ? {} : { reference }),
    ...(type === undefined ? {} : { document_type: type }),
  };
}

/** Returns the change, in which an empty text clears a value. Throws when none is given. */
export function aboutChangeOf(options: AboutOptions) {
  const fields = aboutFieldsOf(options);
  if (Object.keys(fields).length === 0)
    throw new CommandFailure('Give --subject, --reference or --type.', EXIT.usage);
  return fields;
}
