import type { MailServer } from '../../adapters/mail/port.ts';
import { isLoopbackHost } from '../../platform/public-address.ts';
import { tokenSource } from './access-tokens.ts';
import type { IntakeParts } from './parts.ts';
import type { ConnectorRow } from './types.ts';

const contextOf = (connectorId: string) => `intake_connector.password:${connectorId}`;

/** Seals a password for storage with a connector. */
export function sealPassword({ seal }: Pick<IntakeParts, 'seal'>, id: string, password: string): string {
  return seal.seal(password, contextOf(id));
}

/** Returns the server of a connector with its password. Throws SealError. */
export function serverOf(
  parts: Pick<IntakeParts, 'db' | 'seal' | 'renewToken'>,
  connector: ConnectorRow,
): MailServer {
  const { id, host, port, security, username, password, oauth } = connector;
  const { seal } = parts;
  return {
    host,
    port,
    security,
    username,
    password: password === null ? '' : seal.open(password, contextOf(id)),
    accessToken: oauth === null ? null : tokenSource(parts, connector),
  };
}

const UNENCRYPTED =
  'E-mail without encryption is only sent to a server on this computer, unless the setting “Unencrypted e-mail servers” allows more.';

/** Returns a sentence that says why nothing may be handed to that server; null when it may. */
export function unencryptedProblem(
  { settings }: Pick<IntakeParts, 'settings'>,
  { host, security }: Pick<ConnectorRow, 'host' | 'security'>,
): string | null {
  const isAllowed = security !== 'none' || isLoopbackHost(host) || settings.allowsUnencrypted();
  return isAllowed ? null : UNENCRYPTED;
}
