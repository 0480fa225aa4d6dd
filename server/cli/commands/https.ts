import { X509Certificate } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { HttpsState } from '../../../shared/api/https.ts';
import { action } from '../command.ts';
import { facts, terminal } from '../terminal.ts';

export function addHttpsCommands(program: Command): void {
  const https = program.command('https').description('Show how other computers reach the gateway.');
  https
    .command('show')
    .description(
      'Show the addresses to open, the six words, and the certificate with its fingerprint and expiration date.',
    )
    .addHelpText('after', '\nTo turn it on: faxdesk settings change HTTPS_ENABLED=true')
    .action(
      action(async ({ client, answer }) => answer(await (await client()).https.state(), describeHttps)),
    );
  https
    .command('root')
    .description('Save the root certificate that other computers install, in PEM.')
    .requiredOption('--output <file>', 'where to save it, e.g. faxdesk-root.crt')
    .option('--der', 'save it in DER format, which some phones require')
    .addHelpText(
      'after',
      '\nTo install it on Debian, Windows, macOS and Firefox, see docs/operating/other-computers.md. Compare the fingerprint there.',
    )
    .action(
      action<{ der?: true; output: string }>(async ({ options, client }) => {
        const { output: file } = options;
        const rooms = await client();
        const root = new X509Certificate(await rooms.https.rootCertificate());
        await writeFile(file, options.der ? root.raw : root.toString());
        // It is for everybody, unlike whatever else a command makes.
        await chmod(file, 0o644);
        terminal.note(`Saved as ${file}. Its SHA-256 fingerprint is ${root.fingerprint256}.`);
      }),
    );
}

const SOURCES = {
  off: 'off',
  own: 'on, with its own authority',
  files: 'on, with a certificate in files',
};

function describeHttps(state: z.infer<typeof HttpsState>): string {
  const { source, listening, addresses, certificate, root, announced, words, problem } = state;
  return facts([
    ['HTTPS is set', SOURCES[source]],
    ['Served now', describeListening(listening)],
    ['Problem', problem ?? 'none'],
    ...addresses.map((address) => ['Open', address] as const),
    ...(announced === null ? [] : [['Found in the network as', announced] as const]),
    ...(words ? [['Six words', words.join(' ')] as const] : []),
    ...(root
      ? ([
          ['Root', root.name],
          ['Root SHA-256', root.fingerprint],
          ['Root until', root.valid_until],
        ] as const)
      : []),
    ...(certificate
      ? ([
          ['Certificate SHA-256', certificate.fingerprint],
          ['Certificate until', certificate.valid_until],
          ['Names', certificate.names.join(', ')],
        ] as const)
      : []),
  ]);
}

const EVERYWHERE = ['0.0.0.0', '::'];

function describeListening(listening: z.infer<typeof HttpsState>['listening']): string {
  if (listening === null) return 'no';
  const { host, port } = listening;
  return `yes, on port ${port} of ${EVERYWHERE.includes(host) ? 'every address of this computer' : host}`;
}
