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
  'Give the refresh token, the client secret or both by -, with a line for each on standard input.';

export function addConnectorsOAuth(connectors: Command): void {
  connectors
    .command('oauth')
    .description('Sign an e-mail connector in with OAuth 2 in place of a password, or no more.')
    .argument('<connector>', 'its name or its id')
    .option('--provider <provider>', MAIL_OAUTH_PROVIDERS.join(' or '))
    .option('--client-id <id>', 'of the application that was registered there')
    .option(
      '--client-secret <secret>',
      '- asks for it without showing it, or reads it from standard input, in a line before the refresh token',
    )
    .option('--refresh-token <token>', '- as well')
    .option('--directory <directory>', 'of Microsoft: by id or domain')
    .option('--remove', 'sign in with the password again')
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
    throw new CommandFailure('Name --provider, --client-id and --refresh-token, or --remove.', EXIT.usage);
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
