import type { Command } from 'commander';
import type { ReportCheck } from '../../features/outbound/offline.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts } from '../terminal.ts';

interface VerifyOptions {
  readonly fingerprint?: string;
}

export function addVerifyReport(program: Command): void {
  program
    .command('verify-report')
    .description('Check a transmission report of a sent fax, on any computer and without a gateway.')
    .argument('<pdf>', 'the report as it was saved')
    .option('--fingerprint <hex>', 'fingerprint of the office’s signing key, as you got it from the office')
    .addHelpText('after', '\nThe exit code is 1 if anything in it was altered, added or removed.')
    .action(
      action<VerifyOptions>(async ({ options, answer }, path = '') => {
        const { fingerprint } = options;
        if (fingerprint !== undefined && !/^(?:[0-9a-f]{2}[\s:-]?){32}$/iu.test(fingerprint))
          throw new CommandFailure('A fingerprint must have 64 hex digits.', EXIT.badValues);
        const { verifyReport } = await import('../../features/outbound/offline.ts');
        const found = await verifyReport(path, { fingerprint });
        if (!found.intact)
          throw new CommandFailure(['The report is not as it was made.', ...found.faults].join('\n'));
        answer(found, (check) => describe(check, fingerprint !== undefined));
      }),
    );
}

/** Describes an intact report; `isCompared` when its key was compared with a fingerprint. */
function describe({ facts: report, fingerprint }: ReportCheck, isCompared: boolean): string {
  if (report === null) return '';
  const { issuer, fax, attempts, confirmations, history } = report;
  return [
    'The report is complete and unchanged.',
    facts([
      ['Fax', fax.id],
      ['To', fax.to],
      ['State', fax.test ? `${fax.delivery_state} (test)` : fax.delivery_state],
      ['Document SHA-256', fax.document.sha256],
      ['Pages', fax.document.pages],
      ['Attempts', attempts.length],
      ...confirmations.map(
        ({ by, at, text }) => ['Confirmed', `${at ?? 'no time'}, ${by}: ${text}`] as const,
      ),
      ['History', `${history.length} entries`],
      ['Made at', report.created_at],
      ['Made by', [issuer.organization, issuer.fax_number].filter((text) => text !== null).join(', ')],
      ['Signed with', fingerprint],
    ]),
    'The signature covers every byte: the pages, the picture and the attached facts.',
    isCompared
      ? 'It was signed with the key with that fingerprint.'
      : 'The report cannot prove whose key that is. Ask the office for its fingerprint, and give it with --fingerprint.',
  ].join('\n');
}
