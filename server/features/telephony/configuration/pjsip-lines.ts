import { isIPv6 } from 'node:net';
import type { Fillings } from './fill-template.ts';
import { lineValue } from './line-text.ts';
import type { LineSetup, TrunkSetup } from './types.ts';

/** Returns the values for the placeholders of `pjsip.conf`. Throws ConfigurationError. */
export function pjsipFillings({ engine, trunk, ownNumber }: LineSetup): Fillings {
  const byAddress = trunk.authentication === 'address';
  return {
    transport: transportLines(engine.sip, trunk),
    registration: trunk.authentication === 'registration' ? registrationLines(trunk, ownNumber) : [],
    authentication: byAddress ? [] : authenticationLines(trunk),
    contact: lineValue('The host of the trunk', trunkUri(trunk)),
    callAuthentication: byAddress ? [] : ['outbound_auth=faxdesk-trunk'],
    fromDomain: lineValue('The host of the trunk', trunk.host),
    codecs: lineValue('The codecs', trunk.codecs.join(',')),
    t38: t38Lines(trunk),
    sources: [trunk.host, ...trunk.sources].map((it) => `match=${lineValue('An address of the trunk', it)}`),
  };
}

function transportLines(sip: LineSetup['engine']['sip'], trunk: TrunkSetup): string[] {
  const { externalAddress, localNets } = trunk;
  const bind = `${hostInUri(sip.bind)}:${sip.port}`;
  const outside = externalAddress === null ? [] : outsideLines(externalAddress);
  return [
    `protocol=${trunk.transport}`,
    `bind=${lineValue('The address of the engine', bind)}`,
    // The carrier must present its certificate.
    ...(trunk.transport === 'tls'
      ? ['method=tlsv1_2', 'verify_server=yes', 'ca_list_path=/etc/ssl/certs']
      : []),
    ...outside,
    ...localNets.map((net) => `local_net=${lineValue('A local network', net)}`),
  ];
}

function outsideLines(address: string): string[] {
  const value = lineValue('The outside address', address);
  return [`external_media_address=${value}`, `external_signaling_address=${value}`];
}

function registrationLines(trunk: TrunkSetup, ownNumber: string | null): string[] {
  const user = lineValue('The user of the trunk', trunk.user ?? '');
  const uri = (name: string) => `sip:${name}@${hostInUri(trunk.host)}:${trunk.port}${transportOf(trunk)}`;
  return [
    '[faxdesk-trunk]',
    'type=registration',
    'transport=faxdesk-transport',
    'outbound_auth=faxdesk-trunk',
    `server_uri=${lineValue('The host of the trunk', trunkUri(trunk))}`,
    `client_uri=${lineValue('The user of the trunk', uri(trunk.user ?? ''))}`,
    // Calls then come to the own number, where the carrier does not send the dialed one.
    `contact_user=${ownNumber === null ? user : lineValue('Your own fax number', ownNumber)}`,
    'retry_interval=30',
    'forbidden_retry_interval=300',
    'fatal_retry_interval=300',
    'max_retries=10000',
    'auth_rejection_permanent=no',
  ];
}

function authenticationLines(trunk: TrunkSetup): string[] {
  return [
    '[faxdesk-trunk]',
    'type=auth',
    'auth_type=userpass',
    `username=${lineValue('The user of the trunk', trunk.user ?? '')}`,
    `password=${lineValue('The password of the trunk', trunk.password ?? '')}`,
  ];
}

function t38Lines({ t38, t38Correction }: TrunkSetup): string[] {
  if (!t38) return ['t38_udptl=no'];
  return ['t38_udptl=yes', `t38_udptl_ec=${t38Correction}`, 't38_udptl_nat=yes'];
}

function trunkUri(trunk: TrunkSetup): string {
  // A semicolon within a line would begin a comment; lineValue() writes it so that it stays.
  return `sip:${hostInUri(trunk.host)}:${trunk.port}${transportOf(trunk)}`;
}

function transportOf({ transport }: TrunkSetup): string {
  return transport === 'udp' ? '' : `;transport=${transport}`;
}

function hostInUri(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
