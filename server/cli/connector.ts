import type { z } from 'zod';
import type { Connector as ConnectorShape } from '../../shared/api/intake.ts';
import type { Client } from '../../shared/client/index.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { facts } from './terminal.ts';

type Connector = z.infer<typeof ConnectorShape>;

/** By name, whatever its letters, or id. Throws CommandFailure. */
export async function findConnector({ intake }: Client, given: string): Promise<Connector> {
  const { items } = await intake.listConnectors();
  const byId = items.find(({ id }) => id === given);
  if (byId) return byId;
  const wanted = given.trim().toLowerCase();
  const [found, second] = items.filter(({ name }) => name.toLowerCase() === wanted);
  if (!found) throw new CommandFailure(ERRORS.no_such_connector.sentence, EXIT.notFound);
  if (second)
    throw new CommandFailure('Several connectors have that name. Use the id instead.', EXIT.conflict);
  return found;
}

/** A connector in lines. */
export function describeConnector(connector: Connector): string {
  const { host, port, security } = connector;
  return facts([
    ['Connector', connector.id],
    ['Name', connector.name],
    ['Number', connector.match_number ?? 'any'],
    ['From', connector.from_address],
    ['Recipients', connector.recipients.join(', ')],
    ['Server', `${host}:${port}, ${security}`],
    ['Sign-in name', connector.username],
    ['Password', connector.has_password ? 'set' : 'none'],
    ['OAuth', oauthWords(connector)],
    ['Subject', connector.subject_template],
    ['Enabled', connector.enabled ? 'yes' : 'no'],
  ]);
}

function oauthWords({ oauth_provider, oauth_problem }: Connector): string {
  if (oauth_provider === null) return 'none';
  return oauth_problem === null ? oauth_provider : `${oauth_provider}. ${oauth_problem}`;
}
