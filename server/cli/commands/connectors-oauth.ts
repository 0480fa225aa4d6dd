import type { Command } from 'commander';
import { MAIL_OAUTH_PROVIDERS, type MailOAuthProvider } from '../../../shared/mail-server.ts';
import { action } from '../command.ts';
import { describeConnector as describe, findConnector } from '../connector.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { readSecrets } from '../read-secrets.ts';

interface Options {
  readonly provider?: MailOAuthProvider;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly refreshToken?: string;
  readonly directory?: string;
  readonly remove?: boolean;
}

const SECRETS =
  'Give the refresh token, the client secret or both as -, with one line for each on standard input.';

export function addConnectorsOAuth(connectors: Command): void {
  connectors
    .command('oauth')
    .description('Turn OAuth 2 sign-in of an e-mail connector on or off.')
    .argument('<connector>', 'its name or its id')
    .option('--provider <provider>', MAIL_OAUTH_PROVIDERS.join(' or '))
    .option('--client-id <id>', 'client ID of the application registered at the provider')
    .option(
      '--client-secret <secret>',
      '- prompts for it without showing it, or reads it from standard input, on the line before the refresh token',
    )
    .option('--refresh-token <token>', 'also -')
    .option('--directory <directory>', 'Microsoft only: directory, by id or domain')
    .option('--remove', 'switch back to the password')
    .action(
      action<Options>(async ({ options, client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findConnector(rooms, given);
        if (options.remove)
          return answer(await rooms.mailOAuth.removeConnectorOAuth({ params: { id } }), describe);
        const body = { ...(await grantOf(options)), version };
        answer(await rooms.mailOAuth.setConnectorOAuth({ params: { id }, body }), describe);
      }),
    );
}

async function grantOf({ provider, clientId, directory, ...options }: Options) {
  if (provider === undefined || clientId === undefined || options.refreshToken === undefined)
    throw new CommandFailure('Give --provider, --client-id and --refresh-token, or --remove.', EXIT.usage);
  const names = [
    ...(options.clientSecret === '-' ? ['Client secret'] : []),
    ...(options.refreshToken === '-' ? ['Refresh token'] : []),
  ];
  const lines = names.length === 0 ? [] : await readSecrets(names);
  if (lines.includes('')) throw new CommandFailure(SECRETS, EXIT.usage);
  const read = (value: string) => (value === '-' ? (lines.shift() ?? '') : value);
  return {
    provider,
    client_id: clientId,
    ...(options.clientSecret !== undefined && { client_secret: read(options.clientSecret) }),
    refresh_token: read(options.refreshToken),
    ...(directory !== undefined && { tenant: directory }),
  };
}
