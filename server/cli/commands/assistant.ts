import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { createClient } from '../../../shared/client/index.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { commandEnvironment } from '../../config/command-env.ts';
import { RELEASE } from '../../config/release.ts';
import { action } from '../command.ts';
import { fetchWithTimeout, resolveConnection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';

interface AssistantOptions {
  readonly folder?: readonly string[];
}

const MAX_FILE_BYTES = LIMITS.fileSizeMb * 1024 * 1024;
/** A message is held in memory as a whole. */
const MAX_MESSAGE_FILE_BYTES = 100 * 1024 * 1024;

export function addAssistant(program: Command): void {
  program
    .command('assistant')
    .description('Serve an AI assistant on standard input and output (Model Context Protocol).')
    .option(
      '--folder <path>',
      'a folder whose files the assistant may send; may be given several times',
      (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
    )
    .addHelpText(
      'after',
      `
The assistant starts this command itself; see docs/assistants.md. It needs the key of its user in FAXDESK_API_KEY (or
--key) and can do what that key can do. The installation key is never used.

Examples:
  FAXDESK_API_KEY=key_live_... faxdesk assistant
  FAXDESK_API_KEY=key_live_... faxdesk assistant --url https://fax.example.com --folder ~/Referrals`,
    )
    .action(
      action<AssistantOptions>(async ({ options }) => {
        const key = options.key ?? commandEnvironment().key;
        if (key === null)
          throw new CommandFailure(
            'An assistant needs an API key. Set FAXDESK_API_KEY, or give --key.',
            EXIT.noKey,
          );
        const { url } = await resolveConnection({ ...options, key });
        const folders = options.folder ?? [];
        for (const folder of folders) await assertFolder(folder);
        const connection = { baseUrl: url, apiKey: key, fetch: fetchWithTimeout };
        // A wrong key, and assistants that are turned off, are a failure of the start.
        await createClient(connection).assistant.rules();
        // Loaded here, because other commands start faster without it.
        const { createNamedFiles } = await import('../../assistant/named-files.ts');
        const { serveAssistant } = await import('../../assistant/stdio.ts');
        await serveAssistant({
          connection,
          readFile: folders.length === 0 ? null : await createNamedFiles(folders, MAX_FILE_BYTES),
          release: RELEASE,
          maxFileBytes: MAX_MESSAGE_FILE_BYTES,
        });
      }),
    );
}

async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new CommandFailure(`${path} is not a folder.`, EXIT.badValues);
}
