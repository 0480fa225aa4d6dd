import { QUICK_SIGN_IN } from '../../../../shared/states/access.ts';
import { unreachableReason } from '../../../platform/outside-address.ts';
import {
  booleanSetting,
  choiceSetting,
  listSetting,
  numberSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';
import { baseAddress, browserOrigin } from '../web-address.ts';

export const accessSettings = {
  PUBLIC_API_URL: textSetting({
    // The provider fetches documents there, and people sign in there.
    opens: ['providers:write', 'users:manage'],
    group: 'Addresses',
    label: 'Public address',
    help: 'The web address that browsers and your fax provider use to reach Faxdesk. It must use HTTPS unless it is in your own network. The fax provider can use it only if it works from outside.',
    schema: baseAddress,
    format: 'base_address',
    most: 500,
    warning: addressWarning,
  }),
  ALLOWED_ORIGINS: listSetting({
    opens: ['users:manage'],
    group: 'Addresses',
    label: 'Other allowed origins',
    help: 'Other web addresses that people can sign in from, such as https://desk.example.com. Pages there can also call the API with an API key.',
    entry: browserOrigin,
    format: 'origin',
  }),
  SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: booleanSetting({
    opens: ['users:manage'],
    group: 'Access',
    label: 'Sign-in over plain HTTP',
    help: 'Lets browsers on other computers sign in without HTTPS. Anyone on the network can then read passwords and faxes.',
    default: false,
  }),
  SESSION_IDLE_MINUTES: numberSetting({
    // A short time ends the sessions of others, a long one leaves them open at desks.
    opens: ['sessions:revoke'],
    group: 'Access',
    label: 'Session timeout',
    help: 'A browser that has been idle for this many minutes must sign in again.',
    least: 5,
    most: 720,
    default: 30,
  }),
  ENCRYPT_DOCUMENTS: booleanSetting({
    opens: ['fax:document', 'inbound:document'],
    group: 'Security',
    label: 'Encrypt documents',
    help: 'Encrypts every stored document. Documents that already exist are encrypted in the background. If you turn this off, encrypted documents can still be opened.',
    default: false,
  }),
  QUICK_SIGN_IN: choiceSetting({
    opens: ['users:manage'],
    group: 'Access',
    label: 'Sign-in at shared computers',
    help: 'Lets people sign in with a PIN, or also with a card, at computers where they used their password in the last 30 days.',
    choices: [...QUICK_SIGN_IN],
    default: 'pin',
  }),
  IDLE_LOCK_MINUTES: numberSetting({
    opens: ['sessions:revoke'],
    group: 'Security',
    label: 'Lock after',
    help: 'The console must be unlocked with the password or a PIN after this many minutes without a key press or click. 0 means never.',
    least: 0,
    most: 720,
    default: 10,
  }),
};

/** Returns a warning when no provider can reach the address. */
function addressWarning(address: string): string | null {
  const reason = unreachableReason(address);
  return (
    reason && `${reason} Faxdesk sends it documents directly and asks it for results and received faxes.`
  );
}
