import type { Command } from 'commander';
import type { z } from 'zod';
import type { DataKeyState } from '../../../shared/api/data-key.ts';
import { action } from '../command.ts';
import { facts } from '../terminal.ts';

export function addDataKeyCommands(program: Command): void {
  const key = program.command('data-key').description('Show and replace the key that encrypts secrets.');
  key
    .command('show')
    .description('Show where the data key is, and the progress of its replacement.')
    .action(
      action(async ({ client, answer }) => answer(await (await client()).dataKey.state(), describeState)),
    );
  key
    .command('replace')
    .description('Replace the data key while Faxdesk runs.')
    .option(
      '--leave-unreadable',
      'end a replacement although some secrets or documents open with neither key',
    )
    .addHelpText(
      'after',
      '\nEverything that the former key encrypted is encrypted with the new one in the background; the former key is removed at the end.\nMake a backup afterwards: earlier backups hold the former key.',
    )
    .action(
      action<{ leaveUnreadable?: true }>(async ({ client, answer, options }) => {
        const leave_unreadable = options.leaveUnreadable ?? false;
        answer(await (await client()).dataKey.replace({ body: { leave_unreadable } }), describeState);
      }),
    );
}

const PLACES = {
  file: 'data.key in the data folder',
  environment: 'FAXDESK_DATA_KEY',
  keychain: 'the keychain of the desktop application',
} as const;

function describeState({
  source,
  fingerprint,
  made_at,
  obstacle,
  replacement,
}: z.infer<typeof DataKeyState>): string {
  const found: (readonly [string, string])[] = [
    ['Data key', PLACES[source]],
    ['Fingerprint', fingerprint],
    ['In use since', made_at],
    [
      'Replacement',
      replacement === null ? 'none' : `since ${replacement.started_at}, by ${replacement.started_by}`,
    ],
  ];
  if (obstacle !== null) found.push(['To replace it', obstacle]);
  if (replacement !== null)
    found.push(
      ['Encrypted anew', String(replacement.resealed)],
      ['Open with neither key', String(replacement.unreadable)],
      ['Problem', replacement.problem ?? 'none'],
    );
  return facts(found);
}
