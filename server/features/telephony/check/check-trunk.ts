import type { LineSetup } from '../configuration/types.ts';
import type { EngineSession } from './engine-session.ts';
import { type LineCheck, ok, problem } from './line-check.ts';

/** Checks that the carrier answers and, where this installation registers, has accepted the registration. */
export async function checkTrunk(session: EngineSession, { trunk }: LineSetup): Promise<LineCheck> {
  const endpointAction = showEndpointAction(trunk.name);
  if (!(await session.succeeds(endpointAction)))
    return problem('trunk', 'Asterisk does not have this trunk. Load the Faxdesk configuration in Asterisk.');
  if (trunk.authentication === 'registration') {
    const status = await registration(session, trunk.name);
    if (status !== 'Registered') return problem('trunk', registrationProblem(status, trunk.host));
  }
  return (await isReachable(session, endpointAction))
    ? ok(
        'trunk',
        trunk.authentication === 'registration'
          ? 'The carrier accepts the registration.'
          : 'The carrier answers.',
      )
    : problem(
        'trunk',
        `The carrier does not answer at ${trunk.host}. Check host, port, transport and the firewall.`,
      );
}

const showEndpointAction = (trunk: string) =>
  [
    ['Action', 'PJSIPShowEndpoint'],
    ['Endpoint', trunk],
  ] as const;

/** Returns the status of the registration. The list also holds passwords, so nothing else of it is kept. */
async function registration(session: EngineSession, trunk: string): Promise<string | null> {
  const { entries } = await session.send([['Action', 'PJSIPShowRegistrationsOutbound']]);
  return (
    entries.find((it) => it.get('ObjectName') === trunk && it.get('Status') !== null)?.get('Status') ?? null
  );
}

function registrationProblem(status: string | null, host: string): string {
  if (status === 'Rejected')
    return 'The carrier refuses the registration. Check user and password of the trunk.';
  if (status === null)
    return 'Asterisk does not register with the carrier. Load the Faxdesk configuration in Asterisk.';
  return `${host} has not answered the registration yet. Check again in a minute. If there is still no answer, check host, port and firewall.`;
}

/**
 * Returns true unless the carrier is unreachable. In the first seconds it has not been checked yet, which is not a
 * problem.
 */
async function isReachable(
  session: EngineSession,
  endpointAction: ReturnType<typeof showEndpointAction>,
): Promise<boolean> {
  const { entries } = await session.send(endpointAction);
  const states = entries.flatMap((it) =>
    it.get('Event') === 'ContactStatusDetail' ? [it.get('Status')] : [],
  );
  return !states.some((state) => state === 'Unreachable' || state === 'Removed');
}
