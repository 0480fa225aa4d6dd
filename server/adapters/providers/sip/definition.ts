import { defineProvider } from '../define-provider.ts';
import { coexistenceProblem, sipAccount, sipAccountOf, trunkLines } from './account.ts';
import { createLine } from './line.ts';
import { isHost } from './network-names.ts';
import { createSip } from './provider.ts';
import { sipSettings } from './settings.ts';

export const sip = defineProvider({
  backend: 'sip',
  displayName: 'Phone line',
  help: 'Your own SIP trunk, through Asterisk. Needs Asterisk and a trunk that carries faxes.',
  transport: 'line',
  printsOurTime: true,
  numbersPages: true,
  settings: sipSettings,
  essentials: ['TELEPHONY_PASSWORD', 'TRUNK_HOST', 'TRUNK_USER', 'TRUNK_PASSWORD'],
  addresses: {
    TELEPHONY_HOST: checkHost,
    TRUNK_HOST: checkHost,
  },
  account: sipAccount,
  accountOf: sipAccountOf,
  coexistenceProblem,
  linesOf: ({ lines }) => lines,
  lineNameOf: trunkLines,
  routes: { callback: null, notification: null },
  connect: (tools) => createLine(tools),
  send: createSip,
  receive: null,
  close(line) {
    line.watch.close();
    line.engines.close();
  },
});

function checkHost(value: string): string | null {
  return isHost(value) ? null : 'The host must be a name or an IP address.';
}
