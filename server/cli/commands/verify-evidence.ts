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
    .argument('<zip>', 'the archive file')
    .option('--fingerprint <hex>', 'fingerprint of the office’s signing key, as you got it from the office')
    .addHelpText('after', '\nThe exit code is 1 if anything in it was altered, added or removed.')
    .action(
      action<VerifyOptions>(async ({ options, answer }, path = '') => {
        const { fingerprint } = options;
        if (fingerprint !== undefined && !/^(?:[0-9a-f]{2}[\s:-]?){32}$/iu.test(fingerprint))
          throw new CommandFailure('A fingerprint must have 64 hex digits.', EXIT.badValues);
        const { verifyEvidence } = await import('../../features/work/offline.ts');
        const found = await verifyEvidence(path, { fingerprint });
        assertIntact(found);
        answer(found, (check) => evidenceWords(check, fingerprint !== undefined));
      }),
    );
}
