import { LIMITS } from '../../../../shared/limits.ts';
import { booleanSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { visibleLineOf } from './line-schemas.ts';
import { ownNumber } from './sending.ts';

const group = 'Direct delivery';

export const directSettings = {
  DIRECT_DELIVERY_ENABLED: booleanSetting({
    // Documents of partners come in, and those for partners leave, without a provider.
    opens: ['providers:write'],
    group,
    label: 'Direct delivery',
    help: 'Exchanges documents with verified partners over the internet, encrypted and with signed receipts. Needs the two settings below and a public address with HTTPS. While off, partners get no answer.',
    default: false,
  }),
  DIRECT_ORGANIZATION: textSetting({
    group,
    label: 'Organization on your card',
    help: 'The name of your organization as partners see it on your card.',
    schema: visibleLineOf(LIMITS.direct.organization),
    format: 'line',
    most: LIMITS.direct.organization,
  }),
  DIRECT_FAX_NUMBER: textSetting({
    opens: ['providers:write'],
    group,
    label: 'Fax number on your card',
    help: 'The fax number that partners send to, with + and the country code. Partners fax a code to it before documents for it go to you directly.',
    schema: ownNumber,
    format: 'phone_number',
  }),
  DIRECT_ALLOW_PRIVATE_PEERS: booleanSetting({
    opens: ['providers:write'],
    group,
    label: 'Partners in your own network',
    help: 'Allows partners at addresses in your own network and on this computer. Otherwise documents go to public https addresses only.',
    default: false,
  }),
  DIRECT_WORK_ITEMS: booleanSetting({
    opens: ['mailboxes:manage'],
    group,
    label: 'Work items for direct documents',
    help: 'Gives a document that comes directly from a partner a work item, as other received faxes have one. Otherwise it is filed in the inbox without one.',
    default: false,
  }),
};
