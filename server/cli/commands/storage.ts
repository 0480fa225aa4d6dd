import type { Command } from 'commander';
import type { z } from 'zod';
import type { StorageState, StorageStep } from '../../../shared/api/storage.ts';
import { action } from '../command.ts';
import { CommandFailure } from '../exit-codes.ts';
import { facts, terminal } from '../terminal.ts';

export function addStorageCommands(program: Command): void {
  const storage = program.command('storage').description('Show, check and move the stored documents.');
  storage
    .command('show')
    .description('Show where new documents are kept, and the problem of the bucket.')
    .addHelpText(
      'after',
      '\nTo keep documents in a bucket: faxdesk settings change STORAGE_BACKEND=s3 S3_BUCKET=<name>',
    )
    .action(
      action(async ({ client, answer }) => answer(await (await client()).storage.state(), describeState)),
    );
  storage
    .command('check')
    .description('Read every document in the bucket and compare it with its SHA-256.')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if a document is not the one that was stored. It does not find documents that are not in the bucket at all.',
    )
    .action(
      action(async ({ client, answer }) => {
        const rooms = await client();
        const total = await throughAll('Checked', (after) => rooms.storage.check({ body: { after } }));
        answer(
          total,
          ({ done }) => `${documents(done)} in the bucket ${done === 1 ? 'is' : 'are'} as stored.`,
        );
        assertNoneFailed(total);
      }),
    );
  storage
    .command('move')
    .description(
      'Move all documents to where new ones are kept: into the bucket, or back to the data folder.',
    )
    .addHelpText(
      'after',
      '\nThe setting STORAGE_BACKEND decides where to. Each document is verified at its new place before the old one is removed. After an interruption run it again: it continues.',
    )
    .action(
      action(async ({ client, answer }) => {
        const rooms = await client();
        const total = await throughAll('Moved', (after) => rooms.storage.move({ body: { after } }));
        answer(total, ({ done, to }) => `${documents(done)} moved to ${PLACES[to]}.`);
        assertNoneFailed(total);
      }),
    );
  storage
    .command('adopt')
    .description('Take over the documents in the bucket from the installation that this one replaces.')
    .addHelpText(
      'after',
      '\nFor an installation that was restored from a backup. Stop the other installation first.',
    )
    .action(
      action(async ({ client, answer }) => answer(await (await client()).storage.adopt(), describeState)),
    );
}

type Step = z.infer<typeof StorageStep>;
type Total = Omit<Step, 'next'>;

const PLACES = { local: 'the data folder', s3: 'the bucket' } as const;

const documents = (count: number): string => (count === 1 ? '1 document' : `${count} documents`);

/** Repeats a step until every document was looked at. */
async function throughAll(word: string, step: (after: string | undefined) => Promise<Step>): Promise<Total> {
  let after: string | undefined;
  let done = 0;
  const failed: Step['failed'] = [];
  for (;;) {
    const found = await step(after);
    done += found.done;
    failed.push(...found.failed);
    if (found.next === null) return { to: found.to, done, failed };
    after = found.next;
    terminal.progress(`${word}: ${documents(done)}`);
  }
}

function assertNoneFailed({ failed }: Total): void {
  if (failed.length === 0) return;
  for (const { name, reason } of failed) terminal.note(`${name}: ${reason}`);
  throw new CommandFailure(`${documents(failed.length)} failed.`);
}

function describeState({ backend, bucket, problem, waiting_removals }: z.infer<typeof StorageState>): string {
  return facts([
    ['New documents', PLACES[backend]],
    ['Bucket', bucket ?? 'none'],
    ['Problem', problem ?? 'none'],
    ...(waiting_removals > 0 ? ([['Still to be removed', documents(waiting_removals)]] as const) : []),
  ]);
}
