import type { Command } from 'commander';
import { action } from '../command.ts';
import { assertIntact, evidenceWords } from '../evidence-words.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';

interface VerifyOptions {
  readonly fingerprint?: string;
}

export function addVerifyEvidence(program: Command): void {
  program
    .command('verify-evidence')
    .description('Check an evidence archive of a received document, on any computer and without a gateway.')
    .argument('<zip>', 'the archive')
    .option('--fingerprint <hex>', "of the office's signing key, as the office told you")
    .addHelpText('after', '\nThe exit code is 1 when anything of it was altered, added or taken out.')
    .action(
      action<VerifyOptions>(async ({ options, answer }, path = '') => {
        const { fingerprint } = options;
        if (fingerprint !== undefined && !/^(?:[0-9a-f]{2}[\s:-]?){32}$/iu.test(fingerprint))
          throw new CommandFailure('A fingerprint has 64 hex digits.', EXIT.badValues);
        const { verifyEvidence } = await import('../../features/work/offline.ts');
        const found = await verifyEvidence(path, { fingerprint });
        assertIntact(found);
        answer(found, (check) => evidenceWords(check, fingerprint !== undefined));
      }),
    );
}
